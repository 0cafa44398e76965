// Source values of people, and SQL functions that derive a person from the numbers of company and person, without lookups.

export const firstNames =
  'Ana João Maria Rui Inês Tomás Clara Nuno Rita Paulo Sofia Miguel Beatriz Diogo Marta Pedro Lara Hugo Eva Ivo'.split(
    ' ',
  );
export const lastNames =
  'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gomes Lopes Marques Alves'.split(
    ' ',
  );
export const departments = 'Fleet Finance Operations Sales Support People Legal Quality Research Warehouse'.split(' ');
/** Three syllables make a surname: 227,000 combinations. */
export const syllables =
  `ba be bo bra ca car co da del di do fa fer fi fra ga gal go gui ja jo la len li lo ma man mar me mi mo na ne ni no pa per pi po
   qui ra re ri ro sa sal san se si so ta te ti to tra va ve vi vo xa zel`.split(/\s+/);

/** @param today joining date of the last people */
export const helpers = (today: Date) => `
  create unlogged table scale_companies (number integer primary key, id uuid not null, size integer not null,
    joined_at timestamptz not null);
  create unlogged table scale_people (place bigint generated always as identity, company integer not null, n integer not null);
  create sequence scale_sequence;
  create function scale_at(joined_at timestamptz, size integer, n integer) returns timestamptz language sql immutable
    return joined_at + case when n <= size * 0.6 then interval '10 ms' * n
      else (timestamptz '${today.toISOString()}' - joined_at) * ((hashint4(n) & 65535) / 65536.0) end;
  create function scale_id(at timestamptz, company integer, n integer) returns uuid language sql immutable
    return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || left(md5(company || ':' || n), 3) || '8'
      || substr(md5(company || ':' || n), 4, 15))::uuid;
  create function scale_user(company integer, n integer) returns uuid language sql immutable
    return md5('user' || company || ':' || n)::uuid`;
