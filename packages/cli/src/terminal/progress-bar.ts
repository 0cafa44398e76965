/** Progress on stderr: a bar on a terminal, occasional lines elsewhere. */
import type { WriteStream } from 'node:tty';
import { printableLine } from './printable.ts';

interface ProgressBar {
  /** @param label the current step and its progress */
  update(percent: number, label: string): void;
  /** Clears the bar, so that the next output starts on an empty line. */
  end(): void;
}

type ProgressOutput = Pick<NodeJS.WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

const barChars = 24;
/** Step between lines without a terminal, to keep logs short. */
const linePercent = 10;
const clearLine = '\r\u001b[K';

export function progressBar(output: ProgressOutput = process.stderr): ProgressBar {
  return output.isTTY ? terminalBar(output) : lines(output);
}

function terminalBar(output: ProgressOutput): ProgressBar {
  return {
    update(percent, label) {
      const done = Math.round((percent / 100) * barChars);
      const bar = '█'.repeat(done) + '░'.repeat(barChars - done);
      const text = `${bar} ${String(Math.floor(percent)).padStart(3)} % ${printableLine(label)}`;
      output.write(clearLine + text.slice(0, (output.columns ?? 80) - 1)); // a line that wraps can't be cleared
    },
    end() {
      output.write(clearLine);
    },
  };
}

function lines(output: ProgressOutput): ProgressBar {
  let lastStep: number | undefined;
  return {
    update(percent, label) {
      const step = Math.floor(percent / linePercent);
      if (step === lastStep) return;
      lastStep = step;
      output.write(`${Math.floor(percent)} % ${printableLine(label)}\n`);
    },
    end() {},
  };
}
