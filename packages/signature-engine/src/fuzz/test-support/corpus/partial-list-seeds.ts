import { membersOf } from '../../../der/der-value.ts'
import type { Der } from '../../../der/der-writer.ts'
import {
  changesSince,
  craftList,
  entry,
  issuedFor,
  numbered,
  ofIssuer,
  pointsOf,
} from '../../../revocation/test-support/crafted-list.ts'
import { authority, type Crafted, craft, nameOf } from '../../../x509/test-support/crafted-certificate.ts'
import { names } from '../../../x509/test-support/crafted-extensions.ts'
import { listsJudgedAt as at } from '../readers/read-partial-list.ts'
import { type Seed, seed } from '../seed.ts'

const DAY = 24 * 60 * 60 * 1000
const part = { names: [names.directory(nameOf({ CN: 'Part 1' }))] }

/** Lists without which the certificate beside them is not valid: of a point, of reasons, indirect, with changes. */
export function partialListSeeds(): Seed[] {
  const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
  const stranger = entry(Buffer.of(9, 9, 9), new Date(at.getTime() - DAY))
  return [ofPoint(root, stranger), ofReasons(root, stranger), indirect(root, stranger), withChanges(root, stranger)]
}

interface Beside {
  readonly root: Crafted
  readonly holder: Crafted
  readonly issuer?: Crafted
  readonly other?: Crafted
  /** Another list that is needed. */
  readonly list?: Der
}

const listSeed = (name: string, list: Der, { root, holder, issuer, other, list: another }: Beside): Seed =>
  seed(name, list, {
    signedParts: [membersOf(list)[0]!],
    beside: {
      root: root.certificate.der,
      holder: holder.certificate.der,
      ...(issuer && { issuer: issuer.certificate.der }),
      ...(other && { other: other.certificate.der }),
      ...(another && { list: another }),
    },
  })

function ofPoint(root: Crafted, stranger: Der): Seed {
  const holder = craft({ issuer: root, extensions: [pointsOf(part)] })
  return listSeed('point', craftList(root, { entries: [stranger], extensions: [issuedFor(part)] }), { root, holder })
}

function ofReasons(root: Crafted, stranger: Der): Seed {
  const listOf = (...reasons: number[]) =>
    craftList(root, { entries: [stranger], extensions: [issuedFor({ reasons })] })
  return listSeed('reasons', listOf(1, 2, 3), { root, holder: craft({ issuer: root }), list: listOf(4, 5, 6, 7, 8) })
}

function indirect(root: Crafted, stranger: Der): Seed {
  const other = craft({ subject: { CN: 'Lister' }, issuer: root, extensions: authority() })
  const issuer = craft({ subject: { CN: 'Issuer' }, issuer: root, extensions: authority() })
  const holder = craft({ issuer, extensions: [pointsOf({ ...part, listIssuer: other.certificate.subject.der })] })
  const { serialNumber } = holder.certificate
  const entries = [stranger, entry(serialNumber, new Date(at.getTime() - DAY), ofIssuer(nameOf({ CN: 'Another' })))]
  const list = craftList(other, { entries, extensions: [issuedFor({ ...part, indirect: true })] })
  return listSeed('indirect', list, { root, holder, issuer, other, list: craftList(root) })
}

/** The list itself is out of date: only its changes are current. */
function withChanges(root: Crafted, stranger: Der): Seed {
  const holder = craft({ issuer: root })
  const old = { thisUpdate: new Date(at.getTime() - 9 * DAY), nextUpdate: new Date(at.getTime() - DAY) }
  const changes = craftList(root, { entries: [stranger], extensions: [numbered(6), changesSince(5)] })
  return listSeed('changes', changes, { root, holder, list: craftList(root, { ...old, extensions: [numbered(5)] }) })
}
