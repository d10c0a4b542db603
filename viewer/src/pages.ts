/** Pages of a list whose beginning is read again while its further pages are open. */

export interface Page<T> {
  items: T[];
  next: string | null;
}

/** How the items of a list are identified, and which of them others may still change soon. */
export interface Followed<T> {
  id: (item: T) => string;
  live: (item: T) => boolean;
}

/**
 * Read a list again by *load* that has been read as far as *known*: the first page, and on as far as something is live.
 * Further pages are not read again, unless nothing of the beginning is known any more.
 */
export async function readAgain<T>(
  load: (before: string | null) => Promise<Page<T>>,
  known: T[],
  { id, live }: Followed<T>,
): Promise<Page<T>> {
  const items: T[] = [];
  let before: string | null = null;
  do {
    const page: Page<T> = await load(before);
    items.push(...page.items);
    before = page.next;
  } while (before !== null && below(known, items, id).some(live));
  return { items, next: before };
}

/** Put the newly read beginning of a list before what is *known* of its rest. */
export function joined<T>(known: Page<T>, fresh: Page<T>, id: (item: T) => string): Page<T> {
  // the list was read to its end: there is nothing below
  const rest = fresh.next === null ? [] : below(known.items, fresh.items, id);
  return rest.length > 0 ? { items: [...fresh.items, ...rest], next: known.next } : fresh;
}

/** Return the part of *known* below the last item that is in *fresh* too; nothing where none is. */
function below<T>(known: T[], fresh: T[], id: (item: T) => string): T[] {
  const read = new Set(fresh.map(id));
  const last = known.findLastIndex((item) => read.has(id(item)));
  return last < 0 ? [] : known.slice(last + 1);
}
