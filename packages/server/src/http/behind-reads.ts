// What is to be done once nothing is left to be read? What lay in the sockets of the system by now was sent before, and whoever sent
// it would never know what became of it.

/** Calls when what has come by now has been read: behind the next time that the event loop looks for it. */
export function behindReads(then: () => void): void {
  setImmediate(() => setImmediate(then));
}
