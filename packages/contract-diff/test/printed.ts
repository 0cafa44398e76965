/** Runs a command, and returns what it printed instead of printing it. */
export async function printed(run: () => Promise<number>): Promise<{ code: number; output: string }> {
  let output = '';
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      output += text;
      return true;
    }),
  );
  try {
    const code = await run();
    return { code, output };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
