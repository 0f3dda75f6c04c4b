import type { VNode } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

const THEMES = [
  ["auto", "System", "◐"],
  ["light", "Light", "☀"],
  ["dark", "Dark", "☾"],
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
  const [, , icon] = THEMES.find(([name]) => name === theme)!;
  return (
    <span class="theme">
      <span aria-hidden="true">{icon}</span>
      <select
        aria-label="Theme"
        title="Theme"
        value={theme}
        onChange={(event) => setTheme(event.currentTarget.value as Theme)}
      >
        {THEMES.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}
