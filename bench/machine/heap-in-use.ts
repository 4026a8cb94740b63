// The live heap of a server, read through Node's inspector after a forced collection. Covers only the main
// thread's heap; shared memory counts in the resident size.

/** Bytes in use after a collection. `port` is the port of `--inspect`. */
export async function heapInUse(port: number): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [inspected] = (await reply.json()) as { webSocketDebuggerUrl: string }[];
  if (inspected === undefined) throw new Error(`nothing to inspect at port ${port}`);
  const socket = new WebSocket(inspected.webSocketDebuggerUrl);
  const next = (event: string): Promise<Event> =>
    new Promise((resolve, reject) => {
      socket.addEventListener(event, resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('the inspector does not answer')), {
        once: true,
      });
    });
  const call = async (method: string): Promise<{ usedSize?: number }> => {
    const answer = next('message');
    socket.send(JSON.stringify({ id: 1, method }));
    const { data } = (await answer) as MessageEvent;
    return (JSON.parse(String(data)) as { result: { usedSize?: number } }).result;
  };
  await next('open');
  // Twice: the second collection frees what finalizers released.
  await call('HeapProfiler.collectGarbage');
  await call('HeapProfiler.collectGarbage');
  const { usedSize = Number.NaN } = await call('Runtime.getHeapUsage');
  socket.close();
  return usedSize;
}
