/** Commands for a company's custom fields. */
import { type Command, Option } from 'commander';
import type { ApiOptions } from '../service/api.ts';
import type { FieldSettings } from '../service/fields.ts';
import type { CliContext } from '../terminal/context.ts';
import type { OutputOptions } from '../terminal/output.ts';
import { baseUrl, collect, company, example, json, pair, wholeNumber } from './shared.ts';

type Options = ApiOptions & OutputOptions;

const types = ['text', 'long_text', 'number', 'boolean', 'date', 'choice', 'multi_choice', 'email', 'url', 'phone'];
const roles = ['admin', 'manager', 'employee'];
const maxFields = 200;

export function fieldCommands(program: Command, context: CliContext): void {
  const fields = program
    .command('fields')
    .description("Manages custom fields: your company's own fields for people.")
    .addHelpText('after', example(context, 'fields list', 'fields create badge --label "Badge number" --unique'));
  const load = () => import('../service/fields.ts');
  const command = (name: string, about: string) =>
    fields
      .command(name)
      .description(about)
      .option(...company)
      .option(...baseUrl)
      .option(...json);

  command('list', "Lists your company's custom fields in order.")
    .option('--archived', 'include archived fields and fields being deleted; for admins')
    .action(async (options: Options & { archived?: boolean }) => (await load()).list(context, options));

  settings(command('create <key>', 'Creates a field, for admins with the scope custom_fields:manage.'))
    .addOption(new Option('--type <type>', 'type of the values').choices(types).default('text'))
    .option('--sensitive', 'protect values like salaries; permanent')
    .addHelpText(
      'after',
      example(
        context,
        'fields create shirt_size --label "Shirt size" --label-in pt="Tamanho da camisa" --type choice --option s=S --option m=M',
      ),
    )
    .action(async (key: string, options: Options & FieldSettings & { type: string; sensitive?: boolean }) =>
      (await load()).create(context, key, options),
    );

  settings(command('update <key>', 'Changes a field, except its key, type, and sensitivity, which are permanent.'))
    .option('--retire <key>', 'retire an option, so that no one else can get it; repeatable', collect)
    .option('--no-required', 'make the field optional')
    .option('--no-unique', 'allow duplicate values')
    .option('--position <number>', 'new position; 1 is the first', wholeNumber(1, maxFields))
    .addHelpText('after', example(context, 'fields update shirt_size --option l=L --retire s --position 1'))
    .action(async (key: string, options: Options & FieldSettings) => (await load()).update(context, key, options));

  command('archive <key>', 'Archives a field: hides it everywhere, and keeps its values.').action(
    async (key: string, options: Options) => (await load()).setArchived(context, key, true, options),
  );

  command('restore <key>', 'Restores an archived field with its values.').action(
    async (key: string, options: Options) => (await load()).setArchived(context, key, false, options),
  );

  command('delete <key>', 'Permanently deletes a field and all its values, including the history.')
    .option('--confirm <key>', 'confirm with the key, instead of being asked')
    .addHelpText('after', example(context, 'fields delete badge --confirm badge'))
    .action(async (key: string, options: Options & { confirm?: string }) =>
      (await load()).remove(context, key, options),
    );
}

/** Options shared by `create` and `update`. */
function settings(command: Command): Command {
  return command
    .option('--label <text>', 'label; default for a new field: its key')
    .option('--label-in <language=text>', 'label in en, pt, or es; repeatable', pair)
    .option('--description <text>', 'help text beside the input')
    .option('--option <key=label>', 'option of a choice field; repeatable', pair)
    .option('--required', 'require a value for new people')
    .option('--unique', 'require unique values')
    .addOption(new Option('--read <role>', 'lowest role that can read values').choices(roles))
    .addOption(new Option('--write <role>', 'lowest role that can change values').choices(roles));
}
