/** Hand a file that was made on the page to the reader's disk. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // the browser has taken hold of it by then
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
