export function verifySegment(_bytes: Uint8Array): string[] {
  return []; // stub: to be replaced
}
