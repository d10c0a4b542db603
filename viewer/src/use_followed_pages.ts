/** A paged list that is refreshed automatically. */
import { useState } from "react";
import type { ApiError } from "./api/client.ts";
import { type Followed, joined, type Page, readAgain } from "./pages.ts";
import { asApiError } from "./use_loaded.ts";
import { useLooking } from "./use_looking.ts";
import { type Pages, usePages } from "./use_pages.ts";

/** Between two looks (milliseconds), while something in the list is live and otherwise. */
const SOON = 5_000;
const SELDOM = 30_000;

export interface FollowedPages<T> extends Pages<T> {
  /** The last look failed, and the list is as it was before. */
  missed: boolean;
}

/** As usePages, and look again at what is loaded. */
export function useFollowedPages<T>(
  load: (before: string | null, signal: AbortSignal) => Promise<Page<T>>,
  what: string,
  followed: Followed<T>,
): FollowedPages<T> {
  const pages = usePages(load, what);
  const [missed, setMissed] = useState<ApiError>();
  useLooking(
    async (signal) => (pages.loading ? undefined : readAgain((before) => load(before, signal), pages.items, followed)),
    (fresh) => {
      // a page that is being loaded belongs to the list as it was
      if (!fresh || pages.loading) return;
      setMissed(undefined);
      pages.replace((was) => joined(was, fresh, followed.id));
    },
    pages.items.some(followed.live) ? SOON : SELDOM,
    what,
    (error) => setMissed(asApiError(error)),
  );
  // a key that is refused once is refused again: report it as an error
  const error = pages.error ?? (missed?.refusesKey ? missed : undefined);
  return { ...pages, error, missed: missed !== undefined && !error };
}
