import type { VNode } from "preact";
import { useId } from "preact/hooks";

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
}

export function Select<T extends string>(props: SelectProps<T>): VNode {
  const id = useId();
  return (
    <div class="row control">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

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
      {describes !== undefined && <span class="hidden"> in {describes}</span>}
    </label>
  );
}
