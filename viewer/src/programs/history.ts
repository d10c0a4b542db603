/** The programs that were run in this tab, oldest first; they are forgotten when the tab closes or the user signs out. */

const STORED = "planloom.programs";
const MOST = 100;

export function storedPrograms(): string[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
    return Array.isArray(found) ? found.filter((each): each is string => typeof each === "string") : [];
  } catch {
    return [];
  }
}

/** Put *program* at the end, once. */
export function storeProgram(program: string): string[] {
  const known = [...storedPrograms().filter((each) => each !== program), program].slice(-MOST);
  sessionStorage.setItem(STORED, JSON.stringify(known));
  return known;
}

export function forgetPrograms(): void {
  sessionStorage.removeItem(STORED);
}
