/** The small drawings on buttons: one path each, 24 units wide, drawn with the colour of the text. */
const PATHS = {
  sun: "M12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  screen: "M4 5h16v11H4zM9 20h6m-3-4v4",
  exit: "M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 8l-4 4 4 4M6 12h10",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5m5 5H10a6 6 0 0 0 0 12h3",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
  up: "M12 19V5m-6 6 6-6 6 6",
  down: "M12 5v14m-6-6 6 6 6-6",
  trash: "M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13M10 11v5m4-5v5",
  graph: "M5 6h5v4H5zM14 14h5v4h-5zM7.5 10v6H14",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  layout: "M4 4h7v7H4zM13 13h7v7h-7zM13 4h7v5h-7zM4 15h7v5H4z",
  download: "M12 4v11m-5-5 5 5 5-5M4 20h16",
  open: "M14 4h6v6m0-6-9 9M18 14v5H5V6h5",
  check: "m5 13 4 4L19 7",
  warn: "M12 4 2.8 20h18.4L12 4Zm0 6v4m0 3h.01",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4 4",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5m0-8h.01",
  back: "M15 5l-7 7 7 7",
  stop: "M6 6h12v12H6z",
  edit: "M4 20h4L19 9l-4-4L4 16v4Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return <Drawing path={PATHS[name]} size={size} />;
}

export function Drawing({ path, size = 16 }: { path: string; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
