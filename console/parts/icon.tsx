import type { JSX } from 'preact';

/** Drawn on a grid of 24, one stroke each; own drawings. */
const SHAPES = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  definitions: 'M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7',
  access: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  admission: 'M4 5h16l-6 8v6l-4 2v-8z',
  explorer: 'M5 7l4 5-4 5M12 18h7',
  graphs: 'M4 4v16h16M8 15l3-4 3 2 5-7',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 13l4 4L19 7',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  tag: 'M4 4h8l8 8-8 8-8-8zM8 8h.01',
  moon: 'M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z',
  rows: 'M4 6h16M4 12h16M4 18h16',
  menu: 'M4 7h16M4 12h16M4 17h16',
  right: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21c1-4 4-6 8-6s7 2 8 6',
  out: 'M10 4H5v16h5M14 8l5 4-5 4M9 12h10',
  link: 'M10 14l4-4M8 11l-3 3a3.500 3.500 0 0 0 5 5l3-3M16 13l3-3a3.500 3.500 0 0 0-5-5l-3 3',
  box: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
} as const;

export type IconName = keyof typeof SHAPES;

/** A picture next to words; what it means is said by these, or by the name of its button. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
