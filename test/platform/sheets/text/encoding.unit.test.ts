/** CSV files in legacy encodings, with real names and realistically short. */

import { SheetReader } from '../../../../src/platform/sheets/reader.ts';
import { encodingOf } from '../../../../src/platform/sheets/text/encoding.ts';
import { type Encoding, encoded } from '../older-encodings.ts';
import { peopleFiles } from '../people-of-countries.ts';
import { readAll, refusal } from '../workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const header = 'name;email;position;department';

/** @param names of people, each with a department */
function table(names: readonly (readonly [name: string, department: string])[]): string {
  const rows = names.map(([name, department], at) => `${name};person${at}@example.com;Analyst;${department}`);
  return `${[header, ...rows].join('\r\n')}\r\n`;
}

const polish = table([
  ['Łukasz Wójcik', 'Księgowość'],
  ['Małgorzata Kamińska', 'Sprzedaż'],
  ['Paweł Dąbrowski', 'Zarząd'],
]);
const czech = table([
  ['Jiří Dvořák', 'Účetnictví'],
  ['Kateřina Procházková', 'Vývoj'],
  ['Ondřej Šťastný', 'Obchod'],
]);
const hungarian = table([
  ['Szűcs Győző', 'Könyvelés'],
  ['Kőszegi Dezső', 'Értékesítés'],
]);
const romanian = table([
  ['Ştefan Ionescu', 'Vânzări'],
  ['Mihăiţă Popescu', 'Vânzări'],
]);
const russian = table([
  ['Иван Петров', 'Продажи'],
  ['Екатерина Щербакова', 'Бухгалтерия'],
  ['Юрий Соколов', 'Продажи'],
]);
const ukrainian = table([
  ['Наталія Ткаченко', 'Розробка'],
  ['Їван Ющенко', 'Продажі'],
]);
const portuguese = table([
  ['João Gonçalves', 'Operações'],
  ['Conceição Araújo', 'Finanças'],
  ['Inês Simões', 'Finanças'],
]);
const german = table([
  ['Jürgen Müller', 'Geschäftsführung'],
  ['Björn Groß', 'Vertrieb'],
  ['Käthe Schäfer', 'Vertrieb'],
]);
const french = table([
  ['François Lefèvre', 'Comptabilité'],
  ['Hélène Noël', 'Développement'],
]);
const spanish = table([
  ['Sofía Hernández', 'Contaduría'],
  ['Andrés López', 'Ventas'],
  ['Begoña Ibáñez', 'Ventas'],
  ['Jesús Martín', 'Logística'],
]);
const swedish = table([
  ['Åsa Lindström', 'Försäljning'],
  ['Göran Sjöberg', 'Utveckling'],
]);
const danish = table([
  ['Søren Kjærgård', 'Økonomi'],
  ['Åse Bjørk', 'Salg'],
]);
const turkish = table([
  ['Çağrı Öztürk', 'Satış'],
  ['İbrahim Şahin', 'Muhasebe'],
  ['Ayşe Yılmaz', 'Yazılım'],
]);
const greek = table([
  ['Γιώργος Παπαδόπουλος', 'Πωλήσεις'],
  ['Ελένη Δημητρίου', 'Λογιστήριο'],
]);
const lithuanian = table([
  ['Rūta Kazlauskienė', 'Buhalterija'],
  ['Žydrūnas Šimkus', 'Pardavimų'],
]);
const japanese = table([
  ['田中 愛子', '営業部'],
  ['高橋 さくら', '人事部'],
  ['表 能登', '開発部'],
]);
const chinese = table([
  ['王伟', '销售部'],
  ['张敏', '研发部'],
  ['欧阳娜娜', '财务部'],
]);
const taiwanese = table([
  ['歐陽娜娜', '財務部'],
  ['周杰倫', '資訊部'],
]);
const korean = table([
  ['홍길동', '인사부'],
  ['이순신', '영업부'],
]);
const irish = table([
  ['Sinéad O’Connor', 'Sales'],
  ['Zoë O’Brien', 'Sales'],
  ['John Doe', 'Sales'],
]);
const manyLanguages = table([['João Gonçalves', 'Operações'], ['Jürgen Müller', 'Vertrieb'], ['Søren Kjær', 'Salg'], ['François Lefèvre', 'Siège'], ['María Peña', 'Ventas']]); // biome-ignore format: a table

describe('detection by names', () => {
  test.each<[string, string, Encoding]>([
    ['Polish', polish, 'windows-1250'],
    ['Polish', polish, 'iso-8859-2'],
    ['Czech', czech, 'windows-1250'],
    ['Hungarian', hungarian, 'windows-1250'],
    ['Romanian', romanian, 'windows-1250'],
    ['Russian', russian, 'windows-1251'],
    ['Russian', russian, 'koi8-r'],
    ['Russian', russian, 'iso-8859-5'],
    ['Russian', russian, 'ibm866'],
    ['Ukrainian', ukrainian, 'windows-1251'],
    ['Portuguese', portuguese, 'windows-1252'],
    ['Portuguese', portuguese, 'macintosh'],
    ['German', german, 'windows-1252'],
    ['French', french, 'windows-1252'],
    ['French', french, 'macintosh'],
    ['Spanish', spanish, 'windows-1252'],
    ['Spanish', spanish, 'macintosh'],
    ['Swedish', swedish, 'windows-1252'],
    ['Danish', danish, 'windows-1252'],
    ['Irish, with its apostrophes', irish, 'windows-1252'],
    ['many languages', manyLanguages, 'windows-1252'],
    ['Turkish', turkish, 'windows-1254'],
    ['Greek', greek, 'windows-1253'],
    ['Lithuanian', lithuanian, 'windows-1257'],
    ['Japanese', japanese, 'shift_jis'],
    ['Chinese', chinese, 'gbk'],
    ['Taiwanese', taiwanese, 'big5'],
    ['Korean', korean, 'euc-kr'],
  ])('%s, %#', async (_language, text, encoding) => {
    const { info, rows } = await readAll(reader, encoded(text, encoding));
    expect(info).toEqual({ format: 'csv', encoding, delimiter: ';' });
    const names = text
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(';')[0]);
    expect(rows.map(({ cells }) => cells[0])).toEqual(names);
  });

  test('uses lines at the end of a long file', async () => {
    const ascii = table(Array.from({ length: 20_000 }, () => ['Ana Nowak', 'Sales']));
    const { info, rows } = await readAll(reader, encoded(ascii + polish, 'windows-1250'));
    expect(info.encoding).toBe('windows-1250');
    expect(rows.at(-1)!.cells[0]).toBe('Paweł Dąbrowski');
  });
});

describe('an uncertain encoding', () => {
  test('is reported with the alternatives', async () => {
    const { info, rows } = await readAll(reader, encoded(table([['Begoña', 'Sales']]), 'windows-1252'));
    expect(info.encoding_guess).toBeDefined();
    const { sample, other_encoding: otherEncoding, other_sample: otherSample } = info.encoding_guess!;
    expect([info.encoding, otherEncoding].toSorted()).toEqual(['windows-1250', 'windows-1252']);
    expect([sample, otherSample].toSorted()).toEqual(['Begoña', 'Begońa'].toSorted());
    expect(rows[1]!.cells[0]).toBe(sample);
  });

  test('can be specified', async () => {
    const { info, rows } = await readAll(reader, encoded(table([['Begoña', 'Sales']]), 'windows-1252'), {
      encoding: 'iso-8859-1',
    });
    expect(info).toEqual({ format: 'csv', encoding: 'iso-8859-1', delimiter: ';' });
    expect(rows[1]!.cells[0]).toBe('Begoña');
  });

  test('can be specified even if the result is nonsense', async () => {
    const { rows } = await readAll(reader, encoded(polish, 'windows-1250'), { encoding: 'windows-1252' });
    expect(rows[1]!.cells[0]).toBe('£ukasz Wójcik');
  });

  test('is overridden by a byte order mark', async () => {
    const { info } = await readAll(reader, Buffer.from(`\uFEFF${polish}`), { encoding: 'windows-1252' });
    expect(info).toEqual({ format: 'csv', encoding: 'utf-8', delimiter: ';' });
  });
});

describe('nothing is read as nonsense', () => {
  test('rejects text that is odd in every encoding', async () => {
    const names = Buffer.concat([
      Buffer.from('name\n'),
      Buffer.from('4a6fc66f0a4a6f73820a476f6e87616c7665730a', 'hex'),
    ]); // cp850
    expect(await refusal(reader, names)).toMatchObject({ code: 'unknown_encoding' });
  });

  test('rejects broken UTF-8 with its line', async () => {
    const bytes = Buffer.concat([Buffer.from(polish), Buffer.from('Ma\xb3gorzata;x\n', 'latin1'), Buffer.from(polish)]);
    expect(await refusal(reader, bytes)).toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/utf-8.*line 5/),
    });
  });

  test.each<[string, Buffer, string]>([
    ['UTF-8 with a mark', Buffer.concat([Buffer.from('\uFEFFname\nJos'), Buffer.from([0xe9, 0x0a])]), 'line 2'],
    ['UTF-16 that ends in half a character', Buffer.from('\uFEFFname\nJosé\n', 'utf16le').subarray(0, -1), 'line 2'],
  ])('rejects %s', async (_name, bytes, line) => {
    expect(await refusal(reader, bytes)).toMatchObject({ code: 'damaged', message: expect.stringContaining(line) });
  });

  test('rejects bytes that are invalid in the specified encoding', async () => {
    const bytes = encoded(portuguese, 'windows-1252');
    expect(await refusal(reader, bytes, { encoding: 'utf-8' })).toMatchObject({ code: 'damaged' });
    expect(await refusal(reader, bytes, { encoding: 'euc-jp' })).toMatchObject({ code: 'damaged' });
  });
});

describe('people of thirty countries', () => {
  const readings = async (count: number) => {
    const found: { file: string; isRight: boolean; isCertain: boolean }[] = [];
    for (const { text, encoding, bytes } of peopleFiles(count)) {
      const detected = await encodingOf(bytes);
      const isRight = new TextDecoder(detected.encoding).decode(bytes) === text;
      found.push({ file: `${encoding}: ${text.slice(0, 60)}`, isRight, isCertain: detected.guess === undefined });
    }
    return found;
  };
  const share = (list: readonly unknown[], all: readonly unknown[]) => list.length / all.length;

  test.each([
    [2, 0.95, 0.75],
    [8, 0.98, 0.9],
  ])('with %d of each, certain results are correct, and most are certain', async (count, minRight, minCertain) => {
    const all = await readings(count);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter(({ isRight, isCertain }) => isCertain && !isRight)).toEqual([]);
    expect(
      share(
        all.filter(({ isRight }) => isRight),
        all,
      ),
    ).toBeGreaterThan(minRight);
    expect(
      share(
        all.filter(({ isCertain }) => isCertain),
        all,
      ),
    ).toBeGreaterThan(minCertain);
  });
});

test('detects Japanese in seven bits', async () => {
  const bytes = Buffer.from('name\n\x1b$BEDCf\x1b(B\n', 'latin1');
  const { info, rows } = await readAll(reader, bytes);
  expect([info.encoding, rows[1]!.cells[0]]).toEqual(['iso-2022-jp', '田中']);
});
