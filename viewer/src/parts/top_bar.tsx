/** The bar over every screen: where you are, how it looks, and the way out. */
import { useState } from "react";
import { useSession } from "../api_context.ts";
import { CommandBar } from "../programs/command_bar.tsx";
import { paths, useHash } from "../route.ts";
import { PLANES, screenOf } from "../screens/index.tsx";
import { applyTheme, nextTheme, storedTheme, type Theme } from "../theme.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Logo } from "./logo.tsx";

const THEMES: Record<Theme, { icon: IconName; title: string }> = {
  system: { icon: "screen", title: "as the system" },
  light: { icon: "sun", title: "light" },
  dark: { icon: "moon", title: "dark" },
};

export function TopBar() {
  const { signOut } = useSession();
  const here = screenOf(useHash())?.plane;
  const [theme, setTheme] = useState(storedTheme);
  const change = () => {
    const next = nextTheme(theme);
    applyTheme(next);
    setTheme(next);
  };
  return (
    <header className="top-bar">
      <a className="home" href={paths.strategicList} aria-label="planloom, your plans">
        <Logo />
      </a>
      <nav aria-label="Plans">
        {PLANES.map((plane) => (
          <a key={plane.home} href={plane.home} aria-current={plane === here ? "page" : undefined} ref={plane === here ? intoView : undefined}>
            {plane.title}
            {plane.more && <span className="wide-only">&nbsp;{plane.more}</span>}
          </a>
        ))}
      </nav>
      <div className="push" />
      <CommandBar />
      <button
        type="button"
        className="button ghost square"
        onClick={change}
        title={`Colours: ${THEMES[theme].title}`}
        aria-label={`Colours: ${THEMES[theme].title}. Change`}
      >
        <Icon name={THEMES[theme].icon} />
      </button>
      <button type="button" className="button ghost" onClick={signOut} aria-label="Sign out">
        <Icon name="exit" />
        <span className="wide-only">Sign out</span>
      </button>
    </header>
  );
}

/** In a narrow window the planes are more than its width. */
function intoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}
