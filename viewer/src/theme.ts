/** Light, dark, or as the system has it; kept in this browser. */
export type Theme = "system" | "light" | "dark";

const NAME = "planloom.theme";
const ORDER: readonly Theme[] = ["system", "light", "dark"];

export function storedTheme(): Theme {
  const found = localStorage.getItem(NAME);
  return found === "light" || found === "dark" ? found : "system";
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  if (theme === "system") localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, theme);
}

export function nextTheme(theme: Theme): Theme {
  return ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? "system";
}
