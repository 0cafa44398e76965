/**
 * Shell completion for bash, zsh, and fish: `completion <shell>` prints a script that calls `complete` for suggestions. Both use
 * @bomb.sh/tab, which reads commands, options, and choices from the program.
 */
import { Argument, type Command } from 'commander';
import type { CliContext } from '../terminal/context.ts';
import { example } from './shared.ts';

/** @param createBaseProgram creates the program without these commands, because the library adds its own to it */
export function completionCommands(program: Command, context: CliContext, createBaseProgram: () => Command): void {
  program
    .command('completion')
    .description('Prints the script that lets a shell complete commands and options.')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `${example(context, 'completion bash')}

To keep it, once:
  bash  ${context.program} completion bash > ~/.local/share/bash-completion/completions/${context.program}
  zsh   ${context.program} completion zsh > ~/.zsh/completions/_${context.program}   (a folder of $fpath)
  fish  ${context.program} completion fish > ~/.config/fish/completions/${context.program}.fish`,
    )
    .action(async (shell: string) => {
      const { script } = await import('@bomb.sh/tab');
      script(shell, context.program, context.program);
    });
  program.addCommand(
    program
      .createCommand('complete')
      .argument('[words...]')
      .action(async (words: string[]) => {
        const { default: readProgram } = await import('@bomb.sh/tab/commander');
        readProgram(createBaseProgram(), { completionCommandName: 'completion' }).parse(words);
      }),
    { hidden: true },
  );
}
