/** Waits for what happens elsewhere: tries again until it holds or the time is up, then shows why it does not. */
export async function eventually<T>(attempt: () => T | Promise<T>, within_ms = 2_000): Promise<T> {
  const deadline = performance.now() + within_ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
