import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cardWith, knownCards, middlewareOf } from './cards.ts'
import { installedModule, type KnownPlatform, type Machine, middlewares, usualPaths } from './modules.ts'

const platforms = ['linux', 'win32', 'darwin'] as const

const machine = (
  platform: string,
  files: readonly string[] = [],
  environment: Machine['environment'] = {},
): Machine => ({
  platform,
  environment,
  exists: (path) => files.includes(path),
})

const bytes = (hexadecimal: string): readonly number[] => [...Buffer.from(hexadecimal, 'hex')]

/** ISO 7816-3 §8.2: how long an answer to reset is by its own words; with a check byte where it names T=1. */
function lengthByItsOwnWords(atr: readonly number[]): number {
  let [at, presence, needsCheck] = [1, atr[1]! >> 4, false]
  for (;;) {
    at += [1, 2, 4].filter((bit) => presence & bit).length
    if ((presence & 8) === 0) break
    const next = atr[++at]!
    needsCheck ||= (next & 15) !== 0
    presence = next >> 4
  }
  return at + 1 + (atr[1]! & 15) + (needsCheck ? 1 : 0)
}

describe('the table of cards', () => {
  test.each(knownCards.map((card) => [card.atr, card] as const))(
    '%s is an answer to reset, and masked with its own length',
    (_, card) => {
      expect(card.atr).toMatch(/^3B([0-9A-F]{2})+$/)
      expect(lengthByItsOwnWords(bytes(card.atr))).toBe(card.atr.length / 2)
      const mask = bytes(card.mask ?? 'FF'.repeat(card.atr.length / 2))
      expect(mask).toHaveLength(card.atr.length / 2)
      // A bit that does not count is written as zero: otherwise one row could be written in two ways.
      expect(bytes(card.atr).filter((byte, at) => (byte & ~mask[at]! & 0xff) !== 0)).toEqual([])
    },
  )

  test('no row hides another, and none is there twice', () => {
    expect(new Set(knownCards.map(({ atr, mask }) => `${atr} ${mask}`)).size).toBe(knownCards.length)
    for (const card of knownCards) expect(cardWith(card.atr)).toBe(card)
  })

  test.each([
    ['SafeNet eToken 5110 CC', '3bff9600008131fe4380318065b0855956fb120ffe82900000'],
    ['IDPrime token or card', '3BFF9400008131FE4380318065B0846160FB120FFD8290000E'],
    ['IDPrime card', '3B7F96000080318065B0850300EF120FFE829000'],
    ['Watchdata WatchKey', '3B6E00005744361969869302251175 42322B'.replace(' ', '')],
    ['Watchdata ProxKey', '3B6D000057443641018693020107012E45'],
    ['Feitian ePass2003', '3B9F958131FE9F006646530523002571DF000003900096'],
    ['StarSign Crypto USB Token S', '3BF99600008131FE4553434537200E00202028'],
  ])('names a %s', (name, atr) => {
    const card = cardWith(atr)!
    expect(card.name).toBe(name)
    expect(middlewareOf(card).map(({ id }) => id)).toEqual(card.middleware)
  })

  test.each(['', '3B', '3B8980014A434F5032343252324A', '3BFF9600008131FE4380318065B0855956FB120FFE829000'])(
    'does not name what only resembles one: %s',
    (atr) => expect(cardWith(atr)).toBeUndefined(),
  )
})

describe('the table of modules', () => {
  test('every vendor has its software, its places, and a card or a use of its own', () => {
    expect(new Set(middlewares.map(({ id }) => id)).size).toBe(middlewares.length)
    const ofCards = new Set(knownCards.flatMap(({ middleware }) => middleware))
    expect(middlewares.map(({ id }) => id).filter((id) => !ofCards.has(id))).toEqual(['charismathics', 'softhsm'])
    for (const { vendor, software, paths } of middlewares) {
      expect([vendor, software]).not.toContain('')
      expect([...paths.linux, ...paths.win32, ...paths.darwin]).not.toEqual([])
    }
  })

  test.each(platforms)('places on %s are absolute, and each is of one vendor', (platform: KnownPlatform) => {
    const places = middlewares.flatMap((middleware) => usualPaths(middleware, machine(platform)))
    const { isAbsolute, normalize } = platform === 'win32' ? win32 : posix
    expect(places.filter((place) => !isAbsolute(place) || place !== normalize(place) || place.includes('%'))).toEqual(
      [],
    )
    expect(new Set(places.map((place) => place.toLowerCase())).size).toBe(places.length)
    expect(usualPaths(middlewares[0], machine('freebsd'))).toEqual([])
  })

  test('the first place where a file is has the module; folders of Windows are those of the machine', () => {
    const [safenet] = middlewares
    const files = ['/usr/lib64/libeToken.so', '/usr/lib64/libeTPkcs11.so']
    expect(installedModule(safenet, machine('linux', files))).toBe('/usr/lib64/libeTPkcs11.so')
    expect(installedModule(safenet, machine('linux'))).toBeUndefined()
    const module = 'D:\\Sistema\\System32\\eTPKCS11.dll'
    expect(installedModule(safenet, machine('win32', [module], { SYSTEMROOT: 'D:\\Sistema' }))).toBe(module)
  })
})
