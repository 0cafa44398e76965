/** Commands for a company's custom fields. */
import { type Command, Option } from 'commander';
import type { ApiOptions } from '../service/api.ts';
import type { FieldSettings } from '../service/fields.ts';
import type { Place } from '../terminal/context.ts';
import type { OutputOptions } from '../terminal/output.ts';
import { baseUrl, collect, company, example, json, pair, wholeNumber } from './shared.ts';

type Options = ApiOptions & OutputOptions;

const types = ['text', 'long_text', 'number', 'boolean', 'date', 'choice', 'multi_choice', 'email', 'url', 'phone'];
const roles = ['admin', 'manager', 'employee'];
const maxFields = 200;

export function fieldCommands(program: Command, place: Place): void {
  const fields = program
    .command('fields')
    .description('Defines custom fields: those that your company has beside the ones of every person.')
    .addHelpText('after', example(place, 'fields list', 'fields create badge --label "Badge number" --unique'));
  const load = () => import('../service/fields.ts');
  const command = (name: string, about: string) =>
    fields
      .command(name)
      .description(about)
      .option(...company)
      .option(...baseUrl)
      .option(...json);

  command('list', 'Lists the custom fields of your company, in their order.')
    .option('--archived', 'also archived fields, and those that are being deleted: for admins')
    .action(async (options: Options & { archived?: boolean }) => (await load()).list(place, options));

  settings(command('create <key>', 'Defines a field: for admins, with the scope custom_fields:manage.'))
    .addOption(new Option('--type <type>', 'what values are').choices(types).default('text'))
    .option('--sensitive', 'protects values as salaries are; permanent')
    .addHelpText(
      'after',
      example(
        place,
        'fields create shirt_size --label "Shirt size" --label-in pt="Tamanho da camisa" --type choice --option s=S --option m=M',
      ),
    )
    .action(async (key: string, options: Options & FieldSettings & { type: string; sensitive?: boolean }) =>
      (await load()).create(place, key, options),
    );

  settings(command('update <key>', 'Changes a field. Its key, its type and whether it is sensitive are permanent.'))
    .option('--retire <key>', 'an option that nobody new can get; repeat for several', collect)
    .option('--no-required', 'people need no value')
    .option('--no-unique', 'people may have the same value')
    .option('--position <number>', 'where to move it; 1 is the first', wholeNumber(1, maxFields))
    .addHelpText('after', example(place, 'fields update shirt_size --option l=L --retire s --position 1'))
    .action(async (key: string, options: Options & FieldSettings) => (await load()).update(place, key, options));

  command('archive <key>', 'Hides a field everywhere, and keeps its values.').action(
    async (key: string, options: Options) => (await load()).setArchived(place, key, true, options),
  );

  command('restore <key>', 'Brings an archived field back, with its values.').action(
    async (key: string, options: Options) => (await load()).setArchived(place, key, false, options),
  );

  command('delete <key>', "Erases a field and all its values, also in the history. It can't be undone.")
    .option('--confirm <key>', 'the key once more, instead of a question')
    .addHelpText('after', example(place, 'fields delete badge --confirm badge'))
    .action(async (key: string, options: Options & { confirm?: string }) => (await load()).remove(place, key, options));
}

/** Options shared by `create` and `update`. */
function settings(command: Command): Command {
  return command
    .option('--label <text>', 'what people see; default for a new field: its key')
    .option('--label-in <language=text>', 'the same in en, pt or es; repeat for several', pair)
    .option('--description <text>', 'what people read where they fill it in')
    .option('--option <key=label>', 'another option of a choice; repeat for several', pair)
    .option('--required', 'new people need a value')
    .option('--unique', 'no two people can have the same value')
    .addOption(new Option('--read <role>', 'the least role that sees values').choices(roles))
    .addOption(new Option('--write <role>', 'the least role that changes values').choices(roles));
}
