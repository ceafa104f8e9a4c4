import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Der } from '../der/der-writer.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { ANY_POLICY, keyPurposes } from '../x509/oids.ts'
import {
  authority,
  authorityKey,
  type Crafted,
  craft,
  extendedKeyUsage,
  policies,
  subjectKey,
} from '../x509/test-support/crafted-certificate.ts'
import { inhibitAnyPolicy, policyConstraints, policyMappings } from '../x509/test-support/crafted-extensions.ts'
import { createJudge } from './judge-certificate.ts'
import type { PolicyInputs } from './policy-graph.ts'
import { at, opensslAccepts, verdictOn } from './test-support/crafted-path.ts'

const [A, B, C] = ['1.2.3.1', '1.2.3.2', '1.2.3.3'] as const
const root = craft({ subject: { CN: 'Root' }, extensions: authority() })

/** A path below the root: the extensions of each authority, the holder's last; `again` renews the one above itself. */
type Demands = readonly (readonly (Der | 'again')[])[]

function pathOf(demands: Demands): { holder: Crafted; others: Crafted[] } {
  const made: Crafted[] = []
  for (const [index, demanded] of demands.entries()) {
    const issuer = made.at(-1) ?? root
    const subject = demanded.includes('again') ? issuer.certificate.subject.der : { CN: `Step ${index}` }
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const extensions = [
      ...demanded.filter((one) => one !== 'again'),
      subjectKey(keys.publicKey),
      authorityKey(issuer.certificate.publicKey),
    ]
    const isHolder = index === demands.length - 1
    made.push(craft({ subject, issuer, keys, extensions: isHolder ? extensions : [...authority(), ...extensions] }))
  }
  return { holder: made.at(-1)!, others: made.slice(0, -1) }
}

/** The resulting policies, or what is wrong. */
async function outcome(demands: Demands, inputs: PolicyInputs = {}): Promise<readonly string[]> {
  const { holder, others } = pathOf(demands)
  const { policies: found, reasons } = await verdictOn(holder, root, { others, ...inputs })
  const codes = reasons.map(({ code }) => code).filter((code) => !code.startsWith('revocation.'))
  return codes.length > 0 ? codes : found
}

/** openssl takes no policy for none, not for any. */
const flags = ({ initialPolicies = [ANY_POLICY], ...inputs }: PolicyInputs): string[] => [
  '-policy_check',
  ...initialPolicies.flatMap((policy) => ['-policy', policy]),
  ...(inputs.requireExplicitPolicy ? ['-explicit_policy'] : []),
  ...(inputs.inhibitPolicyMapping ? ['-inhibit_map'] : []),
  ...(inputs.inhibitAnyPolicy ? ['-inhibit_any'] : []),
]

const refused = ['policy.unacceptable']
const explicit = { requireExplicitPolicy: true }

const cases: readonly (readonly [what: string, demands: Demands, inputs: PolicyInputs, expected: readonly string[]])[] =
  [
    ['the same policy throughout', [[policies(A)], [policies(A)]], explicit, [A]],
    ['of several, those in all certificates', [[policies(A, B)], [policies(B, C)]], explicit, [B]],
    ['none in common', [[policies(A)], [policies(B)]], explicit, refused],
    ['none in common, and none demanded', [[policies(A)], [policies(B)]], {}, []],
    ['a certificate without any', [[policies(A)], []], explicit, refused],
    ['anyPolicy of an authority', [[policies(ANY_POLICY)], [policies(A)]], explicit, [A]],
    ['anyPolicy of the holder', [[policies(A)], [policies(ANY_POLICY)]], explicit, [A]],
    ['anyPolicy throughout', [[policies(ANY_POLICY)], [policies(ANY_POLICY)]], explicit, [ANY_POLICY]],
    [
      'anyPolicy throughout, one asked for',
      [[policies(ANY_POLICY)], [policies(ANY_POLICY)]],
      { ...explicit, initialPolicies: [B] },
      [B],
    ],
    [
      'only one of those asked for',
      [[policies(A, B)], [policies(A, B)]],
      { ...explicit, initialPolicies: [B, C] },
      [B],
    ],
    ['none of those asked for', [[policies(A)], [policies(A)]], { ...explicit, initialPolicies: [B] }, refused],
    ['none of those asked for, and none demanded', [[policies(A)], [policies(A)]], { initialPolicies: [B] }, []],
    [
      'anyPolicy that the caller does not take',
      [[policies(A)], [policies(ANY_POLICY)]],
      { ...explicit, inhibitAnyPolicy: true },
      refused,
    ],
    ['explicit policy demanded at once', [[policies(A), policyConstraints(0)], [policies(A)]], {}, [A]],
    ['explicit policy demanded at once, without', [[policies(A), policyConstraints(0)], []], {}, refused],
    [
      'explicit policy demanded, not critical',
      [[policies(A), policyConstraints(0, undefined, false)], []],
      {},
      refused,
    ],
    ['explicit policy demanded beyond the path', [[policies(A), policyConstraints(3)], []], {}, []],
    ['explicit policy demanded by the holder', [[], [policyConstraints(0)]], {}, refused],
    ['a renewed authority is not counted', [[policyConstraints(2)], ['again'], []], {}, []],
    ['another authority is counted', [[policyConstraints(2)], [], []], {}, refused],
    ['a mapped policy', [[policies(A), policyMappings([A, B])], [policies(B)]], explicit, [A]],
    [
      'a mapped policy, asked for as the anchor calls it',
      [[policies(A), policyMappings([A, B])], [policies(B)]],
      { ...explicit, initialPolicies: [A] },
      [A],
    ],
    [
      'a mapped policy, asked for as the holder calls it',
      [[policies(A), policyMappings([A, B])], [policies(B)]],
      { ...explicit, initialPolicies: [B] },
      refused,
    ],
    ['a mapped policy under its old name', [[policies(A), policyMappings([A, B])], [policies(A)]], explicit, refused],
    [
      'mapped twice',
      [[policies(A), policyMappings([A, B])], [policies(B), policyMappings([B, C])], [policies(C)]],
      explicit,
      [A],
    ],
    ['mapped to two', [[policies(A), policyMappings([A, B], [A, C])], [policies(C)]], explicit, [A]],
    ['two mapped to one', [[policies(A, B), policyMappings([A, C], [B, C])], [policies(C)]], explicit, [A, B]],
    ['mapped below anyPolicy', [[policies(ANY_POLICY), policyMappings([A, B])], [policies(B)]], explicit, [A]],
    [
      'mapping that the caller does not take',
      [[policies(A), policyMappings([A, B])], [policies(B)]],
      { ...explicit, inhibitPolicyMapping: true },
      refused,
    ],
    [
      'mapping that an authority inhibits',
      [[policies(A), policyConstraints(0, 0)], [policies(A), policyMappings([A, B])], [policies(B)]],
      {},
      refused,
    ],
    [
      'mapping inhibited later',
      [[policies(A), policyConstraints(0, 1)], [policies(A), policyMappings([A, B])], [policies(B)]],
      {},
      [A],
    ],
    ['mapping from anyPolicy', [[policies(A), policyMappings([ANY_POLICY, B])], [policies(B)]], {}, refused],
    ['mapping to anyPolicy', [[policies(A), policyMappings([A, ANY_POLICY])], [policies(A)]], {}, refused],
    [
      'anyPolicy inhibited',
      [[policies(A), policyConstraints(0), inhibitAnyPolicy(0)], [policies(ANY_POLICY)]],
      {},
      refused,
    ],
    [
      'anyPolicy inhibited later',
      [[policies(A), policyConstraints(0), inhibitAnyPolicy(1)], [policies(ANY_POLICY)]],
      {},
      [A],
    ],
    [
      'anyPolicy of a renewed authority',
      [[policies(A), policyConstraints(0), inhibitAnyPolicy(0)], ['again', policies(ANY_POLICY)], [policies(A)]],
      {},
      [A],
    ],
  ]

describe('certificate policies (RFC 5280 §6.1)', () => {
  test.each(cases)('%s', async (_what, demands, inputs, expected) => {
    expect([...(await outcome(demands, inputs))].sort()).toEqual([...expected].sort())
  })

  test('openssl agrees in every case', async () => {
    for (const [what, demands, inputs, expected] of cases) {
      const { holder, others } = pathOf(demands)
      expect([what, await opensslAccepts(holder, root, { others }, ...flags(inputs))]).toEqual([
        what,
        expected !== refused,
      ])
    }
  })
})

test('the policies of the anchor do not count, and a path without an anchor has none', async () => {
  const anchor = craft({ extensions: [...authority(), policies(B)] })
  const holder = craft({ issuer: anchor, extensions: [policies(A)] })
  expect((await verdictOn(holder, anchor, explicit)).policies).toEqual([A])
  expect((await verdictOn(holder, root)).policies).toEqual([])
})

test('mappings that would multiply at every step end in a verdict', async () => {
  const many = Array.from({ length: 40 }, (_, i) => `1.2.4.${i}`)
  const all = many.flatMap((one) => many.map((other) => [one, other] as const))
  const step = [policies(...many), policyMappings(...all)]
  expect(await outcome([step, step, step, step, step, step, step, [policies(many[0]!)]], explicit)).toHaveLength(40)
})

test('a judge demands policies of those who sign documents, unless a call says otherwise', async () => {
  const holder = craft({ issuer: root, extensions: [policies(A), extendedKeyUsage(true, keyPurposes.timeStamping)] })
  const person = craft({ issuer: root, extensions: [policies(A)] })
  const policyInputs = { requireExplicitPolicy: true, initialPolicies: [B] }
  const judge = createJudge({ anchors: TrustAnchors.of([root.certificate]), policyInputs })
  const refusals = async ({ certificate }: Crafted, options = {}) =>
    (await judge.certificate(certificate, { at, now: at, ...options })).reasons
      .map(({ code }) => code)
      .filter((code) => code === 'policy.unacceptable')
  expect(await refusals(person)).toEqual(refused)
  expect(await refusals(person, { initialPolicies: [A] })).toEqual([])
  expect(await refusals(holder, { purpose: 'timestamping' })).toEqual([])
})
