// Which card or token shows which answer to reset (ISO 7816-3 §8), and whose middleware knows it
// (workstation-agent facts 1). The first row that matches names the card.
import { type Middleware, type MiddlewareId, middlewares } from './modules.ts'

export interface KnownCard {
  /** As its holder knows it. */
  readonly name: string
  /** Hexadecimal. */
  readonly atr: string
  /** Bits of the answer that count; all of them when absent. */
  readonly mask?: string
  /** Middleware that knows it, the vendor's first. */
  readonly middleware: readonly [MiddlewareId, ...MiddlewareId[]]
}

export const knownCards: readonly KnownCard[] = [
  { name: 'SafeNet eToken 5100', atr: '3BD518008131FE7D8073C82110F4', middleware: ['safenet'] },
  { name: 'SafeNet eToken 5110', atr: '3BD5180081313A7D8073C8211030', middleware: ['safenet'] },
  { name: 'Aladdin eToken PRO', atr: '3BF21800FFC10A31FE55C8068A', middleware: ['safenet'] },
  { name: 'Aladdin eToken PRO', atr: '3BE200FFC11031FE55C8029C', middleware: ['safenet'] },
  {
    name: 'SafeNet eToken 5110 CC',
    atr: '3BFF9600008131FE4380318065B0855956FB120FFE82900000',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'SafeNet eToken 5110 CC (940B)',
    atr: '3BFF9600008131FE4380318065B0855956FB12017882900088',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'SafeNet eToken 5110+ CC (940C)',
    atr: '3BFF9600008131FE4380318065B08505003912017882900040',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'SafeNet eToken 5110+ FIPS',
    atr: '3BFF9600008131FE4380318065B0846566FB12017882900085',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'SafeNet eToken 5300',
    atr: '3BFF9600008131FE4380318065B0846160FB120FFD8290000C',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'SafeNet eToken 5300',
    atr: '3BFF9600008131FE4380318065B0845651101201788290006A',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'SafeNet eToken Fusion',
    atr: '3BFF9600008131FE4380318065B088666B3912017882900045',
    middleware: ['safenet', 'idprime'],
  },
  {
    name: 'IDPrime token or card',
    atr: '3BFF0000008131004380318065B00000000012000082900000',
    mask: 'FFFF00FFFFFFFF00FFFFFFFFFFFF00000000FF0000FFFFFF00',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  {
    name: 'IDPrime card',
    atr: '3B7F00000080318065B000000000120000829000',
    mask: 'FFFF00FFFFFFFFFFFFFF00000000FF0000FFFFFF',
    middleware: ['safenet', 'idprime', 'opensc'],
  },
  { name: 'IDPrime .NET', atr: '3B1696417374726964', middleware: ['idprime'] },
  { name: 'StarSign Crypto USB Token S', atr: '3BF99600008131FE4553434537200E00202028', middleware: ['safesign'] },
  {
    name: 'StarSign Crypto USB Token',
    atr: '3BFD1300008131FE4553434536302D43433038312D46C2',
    middleware: ['safesign'],
  },
  {
    name: 'SafeSign card (doctors’ identity card, SmartNonus)',
    atr: '3BFD1800008031FE45736674652D63643038302D6E66DC',
    middleware: ['safesign'],
  },
  { name: 'SafeSign card', atr: '3B7418000073667465', middleware: ['safesign'] },
  { name: 'SafeSign card', atr: '3BDB18FF8191FE1FC306092B06010401E9100503D7', middleware: ['safesign'] },
  { name: 'YpsID S2 card', atr: '3B7D180002805759505349443033837F9000', middleware: ['safesign'] },
  { name: 'YpsID S2 card', atr: '3B7D180002805759505349443034837F9000', middleware: ['safesign'] },
  { name: 'Gemalto TOP DL card', atr: '3B7D96000080318065B0831111E583009000', middleware: ['safesign'] },
  {
    name: 'Watchdata ProxKey',
    atr: '3B6D000057443641018693000000000000',
    mask: 'FFFFFFFFFFFFFFFFFFFFFF000000000000',
    middleware: ['watchdata'],
  },
  {
    name: 'Watchdata WatchKey',
    atr: '3B6E00005744360069869302000000000000',
    mask: 'FFFFFFFFFFFFFF00FFFFFFFF000000000000',
    middleware: ['watchdata'],
  },
  {
    name: 'Feitian ePass2003',
    atr: '3B9F958131FE9F00664653050000007100000000000000',
    mask: 'FFFFFFFFFFFFFFFFFFFFFFFF000000FF00000000000000',
    middleware: ['epass2003', 'opensc'],
  },
  { name: 'Cosmo card', atr: '3BDD18008131FE4580F9A000000077010800079000FE', middleware: ['awp'] },
  { name: 'IDProtect card', atr: '3BD595FF8091FE1FC38073C8211385', middleware: ['idprotect'] },
  { name: 'IDProtect card', atr: '3BDC18FF8191FE1FC38073C8211366010B0352000538', middleware: ['idprotect'] },
  { name: 'Dexon DXToken', atr: '3B6B0000805A4458544F4B454E3031', middleware: ['dxsafe'] },
  { name: 'Dexon DXToken', atr: '3B6E0000803108721422574458544B4E3031', middleware: ['dxsafe'] },
]

/** The card that shows an answer to reset; undefined for one that nobody described. */
export const cardWith = (atr: string): KnownCard | undefined => knownCards.find((card) => shows(card, bytes(atr)))

/** Middleware that knows a card, the vendor's first. */
export const middlewareOf = ({ middleware }: KnownCard): readonly Middleware[] =>
  middleware.map((id) => middlewares.find((known) => known.id === id)!)

function shows({ atr, mask }: KnownCard, shown: Buffer): boolean {
  const [wanted, counts] = [bytes(atr), mask === undefined ? undefined : bytes(mask)]
  if (shown.length !== wanted.length) return false
  return wanted.every((byte, at) => ((byte ^ shown[at]!) & (counts?.[at] ?? 0xff)) === 0)
}

const bytes = (hexadecimal: string): Buffer => Buffer.from(hexadecimal, 'hex')
