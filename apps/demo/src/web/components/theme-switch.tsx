import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Select } from "./select.tsx";

const THEMES = [
  ["auto", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

type Theme = (typeof THEMES)[number][0];

const KEY = "theme";

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find(([name]) => name === stored)?.[0] ?? "auto";
  } catch {
    // Storage may be forbidden. Then the theme is not remembered.
    return "auto";
  }
}

export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState(storedTheme);
  // A layout effect runs before anything is painted, so the page does not flash in the wrong theme.
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Storage may be forbidden.
    }
  }, [theme]);
  return <Select label="Theme" value={theme} options={THEMES} onChange={setTheme} />;
}
