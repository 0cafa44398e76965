/**
 * Shell completion for bash, zsh, and fish: `completion <shell>` prints a script that calls `complete` for suggestions. Both use
 * @bomb.sh/tab, which reads commands, options, and choices from the program.
 */
import { Argument, type Command } from 'commander';
import type { Place } from '../terminal/context.ts';
import { example } from './shared.ts';

/** @param fresh creates the program without these commands, because the library adds its own to it */
export function completionCommands(program: Command, place: Place, fresh: () => Command): void {
  program
    .command('completion')
    .description('Prints the script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `${example(place, 'completion bash')}

To keep it, once:
  bash  ${place.program} completion bash > ~/.local/share/bash-completion/completions/${place.program}
  zsh   ${place.program} completion zsh > ~/.zsh/completions/_${place.program}   (a folder of $fpath)
  fish  ${place.program} completion fish > ~/.config/fish/completions/${place.program}.fish`,
    )
    .action(async (shell: string) => {
      const { script } = await import('@bomb.sh/tab');
      script(shell, place.program, place.program);
    });
  program.addCommand(
    program
      .createCommand('complete')
      .argument('[words...]')
      .action(async (words: string[]) => {
        const { default: readProgram } = await import('@bomb.sh/tab/commander');
        readProgram(fresh(), { completionCommandName: 'completion' }).parse(words);
      }),
    { hidden: true },
  );
}
