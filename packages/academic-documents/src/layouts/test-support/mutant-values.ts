// Values to put in the place of another: at and beyond every limit of the layouts, and with characters they do and do not
// allow. They are pieces of XML: references are meant as such.
import type { Seeded } from './seeded.ts'

const characters = [
  ...['ễ', '€', '–', '—', '“', '”', '…', '•', '§', 'º', 'ª', '°', '±', '×', 'ß', 'ÿ', 'Ā', 'ſ', 'ƀ', 'ɏ', 'ɐ'],
  ...['\u00a0', '\u00ad', '\u2003', '\u2028', '\u200b', '\u3000', '\ufeff', '\u0085', '\u007f', '\ufffd'],
  ...[
    '中',
    'д',
    'ع',
    '٣',
    '²',
    '½',
    '𝟙',
    '😀',
    '‘',
    '’',
    '«',
    '»',
    '¿',
    '¡',
    '´',
    '`',
    '^',
    '~',
    '|',
    '\\',
    '_',
    '$',
    '+',
  ],
  ...['&amp;', '&lt;', '&gt;', '&quot;', '&#13;', '&#10;', '&#9;', '&#32;', '\n', '\t', ' ', '  '],
]

const numbers = [
  ...['0', '00', '1', '01', '-1', '+1', '-0', '1.5', '1.50', '1.500', '1.505', '.5', '5.', '.', '1e3', '1,5', 'NaN'],
  ...[
    '10',
    '10.00',
    '10.01',
    '10.001',
    '100',
    '100.00',
    '100.01',
    '99.99',
    '4294967295',
    '4294967296',
    '18446744073709551616',
  ],
  ...['123456789012345678901234', '1234567890123456789012345', '0.00000000000000000000000001', ' 7 ', '7 8', '٣'],
]

const dates = [
  ...['2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '2024-04-31', '2024-13-01', '2024-00-10', '2024-01-00'],
  ...['2024-1-1', '24-01-01', '0000-01-01', '-2024-01-01', '12024-01-01', '2024-01-01Z', '2024-01-01-03:00'],
  ...['2024-01-01+14:00', '2024-01-01+14:01', '2024-01-01T00:00:00', '01/02/2024', ' 2024-01-01', '2024-01-01 '],
  ...['00:00:00', '23:59:59', '24:00:00', '9:00:00', '12:60:00', '12:00', '2024', '24', '20245', '2024-06', '2024-6'],
]

const codes = [
  ...['12345678901', '1234567890', '123456789012', '1234567890a', '123.456.789-01', ' 12345678901 ', '12345678901234'],
  ...[
    '1234567890123',
    '123456789012345',
    '12.345.678/9012-34',
    '1234567',
    '123456',
    '12345678',
    '1234567-8',
    '60020-181',
  ],
  ...[
    '1.2.0a1b2c3d4e5f',
    '1.2.0a1b2c3d4e5',
    '1.2.0A1B2C3D4E5F',
    '1.0a1b2c3d4e5f',
    '.1.0a1b2c3d4e5f',
    '1.2.0a1b2c3d4e5f ',
    '١.2.0a1b2c3d4e5f',
  ],
  ...[
    'S/N',
    's/n',
    '2.160',
    '2160/2019',
    '12-A_b/3',
    'A12',
    '1 2',
    '12é',
    '1–2',
    '0801234-56.2025.4.05.8100',
    '080123-56.2025.4.05.8100',
  ],
  ...[
    `VDip${'1'.repeat(44)}`,
    `Dip${'1'.repeat(44)}`,
    `RDip${'1'.repeat(44)}`,
    `ReqDip${'1'.repeat(44)}`,
    `Dip${'1'.repeat(43)}`,
    `Dip${'1'.repeat(45)}`,
    `dip${'1'.repeat(44)}`,
  ],
  ...['PED-1.2', 'PED 1', 'PED_1', 'PED/1', 'PÉD1', 'д1', '中', 'a+b', 'a€b', 'a²', '1.05', '1.02', '1.06'],
]

const listed = [
  ...[
    'F',
    'M',
    'm',
    'Feminino',
    'CE',
    'ce',
    'XX',
    'Sim',
    'Não',
    'Nao',
    'Produção',
    'Homologação',
    'Producao',
    'Presencial',
    'EAD',
  ],
  ...[
    'Semipresencial',
    ' EAD',
    'EAD ',
    'Licenciado',
    'Tecnólogo',
    'Técnico',
    'Médico',
    'Curso sequencial',
    'Portaria',
    'Despacho',
  ],
  ...[
    'Ato Próprio',
    'Deliberação',
    'Reitor',
    'A+',
    'A',
    'F-',
    'G',
    'APD',
    'Enem',
    'Sisu',
    'Vestibular',
    'Outros',
    ' Outros ',
    'Cursado',
    'Mestrado',
  ],
  ...[
    'Erro de Fato',
    'Reemissão para Anotaçao de Registro',
    'Reemissão para Anotação de Registro',
    'Ingressante',
    'Disciplina',
    'Módulo',
  ],
]

const encoded = [
  'AQAB',
  'AQA',
  'AQ==',
  'AR==',
  'AQA=',
  'AQB=',
  'A===',
  'AQ=A',
  'AQ\nAB',
  'A Q A B',
  '====',
  'AQ-_',
  'AQABAQ==AQAB',
  'é',
]

const addresses = [
  ...[
    'https://a.example/',
    'http://a.example/',
    'HTTPS://a.example/',
    'https://',
    'https://a b',
    'https://a/%zz',
    'https://a/%41',
  ],
  ...[
    'https://a:80/',
    'https://a:/',
    'https://a:x/',
    'https://[::1]/',
    'https://[::1/',
    'https://a/é',
    'https://a/[x]',
    'https://a/#x#y',
  ],
  ...[
    'https://a/{x}|^`',
    'ftp://a',
    ' https://a ',
    'urn:oid:1.2',
    '#x',
    '%',
    ':',
    '1:2',
    `https://a/${'b'.repeat(245)}`,
    `https://a/${'b'.repeat(246)}`,
  ],
  ...[
    'http://lattes.cnpq.br/123',
    'https://lattes.cnpq.br/123',
    'http://lattes.cnpq.br/',
    'http://lattes.cnpq.br/12a',
    ' http://lattes.cnpq.br/1 ',
  ],
]

const lengths = [0, 1, 2, 3, 4, 5, 6, 15, 16, 59, 60, 61, 149, 150, 151, 254, 255, 256, 300]
const long = lengths.flatMap((length) => ['a'.repeat(length), 'é'.repeat(length)])
const blank = ['', ' ', '\n', '&#160;', '<!-- nada -->', '<![CDATA[]]>', '<![CDATA[ ]]>', '<b/>']

/** Every value that fits into any document as it is. */
export const fixed = [characters, numbers, dates, codes, listed, encoded, addresses, long, blank].flat()

type Near = (safe: string, raw: string) => string

const middle = ({ length }: string): number => Math.floor(length / 2)

const near: readonly Near[] = [
  ...[(safe: string) => ` ${safe}`, (safe: string) => `${safe} `, (safe: string) => `\n${safe}\n`],
  ...['x', '1', '\t', '<?p?>', '<b/>'].map((tail) => (safe: string) => safe + tail),
  ...['x', '0', '-', '<!-- c -->'].map((head) => (safe: string) => head + safe),
  ...[(safe: string) => safe.slice(1), (safe: string) => safe.slice(0, -1)],
  ...[(safe: string) => safe.toUpperCase(), (safe: string) => safe.toLowerCase()],
  ...[(safe: string) => safe + safe, (safe: string) => `${safe} ${safe}`],
  (_, raw) => `<![CDATA[${raw.replaceAll(']]>', '')}]]>`,
  ...characters.map(
    (character) => (safe: string) => safe.slice(0, middle(safe)) + character + safe.slice(middle(safe)),
  ),
  ...characters.map((character) => (safe: string) => safe + character),
  ...characters.map((character) => (safe: string) => character + safe),
]

/** A value of any sort, or one near the value that is there. */
export function candidate(value: string, random: Seeded): string {
  if (random.next() < 0.6) return random.pick(fixed)
  const safe = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return random.pick(near)(safe, value)
}
