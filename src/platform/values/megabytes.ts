/** Bytes in binary megabytes: a limit of 5,242,880 bytes is 5. */
export function megabytes(bytes: number): number {
  return Number((bytes / 1024 / 1024).toFixed(1));
}
