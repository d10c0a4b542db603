/** The API key: kept for as long as this browser tab lives, and nowhere else. */
const NAME = "planloom.key";

export function storedKey(): string | null {
  return sessionStorage.getItem(NAME);
}

export function storeKey(key: string): void {
  sessionStorage.setItem(NAME, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
}
