import type { VNode } from "preact";
import { useRef } from "preact/hooks";

interface CheckboxProps {
  readonly label: string;
  /** The thing that the checkbox is about, if several checkboxes have the same label. */
  readonly describes?: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

export function Checkbox({ label, describes, value, onChange }: CheckboxProps): VNode {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
      {describes !== undefined && <span class="hidden">: {describes}</span>}
    </label>
  );
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: T, label: string])[];
  readonly current: T | null;
  readonly onChange: (name: T) => void;
  readonly prefix: string;
  readonly panelOf: (name: T) => string;
}

/**
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 */
export function Tabs<T extends string>(props: TabsProps<T>): VNode {
  const { label, tabs, current, onChange, prefix, panelOf } = props;
  const bar = useRef<HTMLDivElement>(null);
  const index = tabs.findIndex(([name]) => name === current);

  const move = (event: KeyboardEvent): void => {
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onChange(tabs[target]![0]);
    bar.current?.querySelectorAll<HTMLElement>("[role=tab]")[target]?.focus();
  };

  return (
    <div class="row tabs" role="tablist" aria-label={label} ref={bar} onKeyDown={move}>
      {tabs.map(([name, text]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={prefix + name}
          aria-selected={name === current}
          aria-controls={panelOf(name)}
          tabIndex={name === (index < 0 ? tabs[0]?.[0] : current) ? 0 : -1}
          onClick={() => onChange(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
