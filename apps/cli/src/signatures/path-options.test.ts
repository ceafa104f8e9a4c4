// What RFC 5280 §6.1.1 leaves to whoever validates, and trusted lists as anchors, given on the command line.
import { createPrivateKey } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keySigner } from '@chancela/signature-engine/keys'
import { readCertificates } from '@chancela/signature-engine/x509'
import { signXades } from '@chancela/signature-engine/xades'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { cli } from './test-support/run-cli.ts'

const A1 = '2.16.76.1.2.1.9999'
const A3 = '2.16.76.1.2.3.9999'

let demo: RunningDemoPki
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const data = ['--data', at('no-data')]

beforeAll(async () => {
  demo = await startDemoPki({ keys: cachedKeys() })
  for (const policy of ['A1', 'A3'] as const) {
    const holder = await demo.pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' }, { policy })
    writeFileSync(at(`${policy}.p12`), demo.pki.pkcs12(holder, { password: 'segredo' }))
    writeFileSync(at(`${policy}.pem`), holder.x509.toString())
    writeFileSync(at(policy), 'minutes of the meeting')
    await cli(['sign', at(policy), '--pkcs12', at(`${policy}.p12`), '--password', 'segredo'])
  }
  writeFileSync(at('roots.pem'), demo.pki.trustAnchors())
  writeFileSync(at('authority.pem'), demo.pki.certificate('level-2').x509.toString())
})
afterAll(() => demo.stop())

const verify = async (policy: 'A1' | 'A3', ...options: readonly string[]) => {
  const { code, out, err } = await cli(['verify', at(`${policy}.p7m`), '--json', ...data, ...options])
  return { code, err, signature: out ? JSON.parse(out)[0].signatures[0] : undefined }
}

/** Under the issuing authority alone. */
const opensslAccepts = async (policy: 'A1' | 'A3', ...options: readonly string[]) => {
  const terms = ['-partial_chain', '-policy_check', '-CAfile', at('authority.pem')]
  return (await openssl(['verify', ...terms, ...options, at(`${policy}.pem`)])).ok
}

describe('policies of certificates', () => {
  test.each([
    ['A1', [A1], true],
    ['A1', [A3], false],
    ['A3', [A3], true],
    ['A3', [A1], false],
    ['A3', [A1, A3], true],
  ] as const)('of %s, where %j are accepted and one is required', async (policy, accepted, isValid) => {
    const anchor = ['--trust', at('authority.pem')]
    const initial = accepted.flatMap((oid) => ['--initial-policy', oid])
    const { code, signature } = await verify(policy, ...anchor, ...initial, '--require-explicit-policy')
    expect(code).toBe(isValid ? exitCodes.done : exitCodes.indeterminate)
    expect(signature).toMatchObject(
      isValid
        ? { subIndication: null, certificate: { policies: [policy === 'A1' ? A1 : A3] } }
        : { subIndication: 'CHAIN_CONSTRAINTS_FAILURE', certificate: { policies: [] } },
    )
    const flags = [...accepted.flatMap((oid) => ['-policy', oid]), '-explicit_policy']
    expect(await opensslAccepts(policy, ...flags)).toBe(isValid)
  })

  test('that no authority above names are none, which matters where one is required', async () => {
    const trust = ['--trust', at('roots.pem')]
    expect((await verify('A1', ...trust)).code).toBe(exitCodes.done)
    const { code, signature } = await verify('A1', ...trust, '--require-explicit-policy')
    expect(code).toBe(exitCodes.indeterminate)
    expect(signature.subIndication).toBe('CHAIN_CONSTRAINTS_FAILURE')
  })

  test('are object identifiers', async () => {
    const { code, err } = await verify('A1', '--initial-policy', 'A1')
    expect(code).toBe(exitCodes.usage)
    expect(err).toContain('--initial-policy')
  })
})

describe('a chain in which policies are mapped and left open', () => {
  // An authority maps its A1 to another domain's; below it anyPolicy stands for every policy.
  const [MAPPED, ANY] = ['1.2.3.4.1', '2.5.29.32.0']
  const run = async (...args: readonly string[]) => {
    const { ok, text } = await openssl(args, { folder })
    expect(ok, text).toBe(true)
  }
  const issue = (name: string, issuer: string | undefined, ...extensions: readonly string[]) =>
    run(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'],
      ...['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`],
      ...(issuer ? ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`] : []),
      ...extensions.flatMap((extension) => ['-addext', extension]),
    )
  const authority = ['basicConstraints=critical,CA:true', 'keyUsage=critical,keyCertSign,cRLSign']

  beforeAll(async () => {
    await issue('top', undefined, ...authority)
    await issue('mapping', 'top', ...authority, `certificatePolicies=${A1}`, `policyMappings=${A1}:${MAPPED}`)
    await issue('open', 'top', ...authority, `certificatePolicies=${ANY}`)
    const holder = ['basicConstraints=CA:false', 'keyUsage=critical,digitalSignature,nonRepudiation']
    await issue('mapped', 'mapping', ...holder, `certificatePolicies=${MAPPED}`)
    await issue('anyone', 'open', ...holder, `certificatePolicies=${A1}`)
    for (const [name, issuer] of [
      ['mapped', 'mapping'],
      ['anyone', 'open'],
    ] as const) {
      const signer = ['-signer', `${name}.pem`, '-inkey', `${name}.key`, '-certfile', `${issuer}.pem`]
      await run(
        'cms',
        '-sign',
        '-cades',
        '-binary',
        '-nodetach',
        '-in',
        'A1',
        ...signer,
        '-outform',
        'DER',
        '-out',
        `${name}.p7m`,
      )
    }
  })

  test.each([
    ['mapped', 'mapping', [], '-policy_check', true],
    ['mapped', 'mapping', ['--inhibit-policy-mapping'], '-inhibit_map', false],
    ['anyone', 'open', [], '-policy_check', true],
    ['anyone', 'open', ['--inhibit-any-policy'], '-inhibit_any', false],
  ] as const)('%s below %s with %j', async (name, issuer, options, flag, isAccepted) => {
    const demanded = ['--initial-policy', A1, '--require-explicit-policy', '--offline', '--trust', at('top.pem')]
    const { out } = await cli(['verify', at(`${name}.p7m`), '--json', ...data, ...demanded, ...options])
    // Nobody was asked about revocation.
    const { subIndication } = JSON.parse(out)[0].signatures[0]
    expect(subIndication).toBe(isAccepted ? 'TRY_LATER' : 'CHAIN_CONSTRAINTS_FAILURE')
    const terms = ['-CAfile', 'top.pem', '-untrusted', `${issuer}.pem`, '-policy', A1, '-explicit_policy', flag]
    expect((await openssl(['verify', ...terms, `${name}.pem`], { folder })).ok).toBe(isAccepted)
  })
})

describe('a trusted list', () => {
  /** The list names the authority, and has the given end. */
  const listXml = (nextUpdate: Date) => {
    const type = 'http://uri.etsi.org/TrstSvc'
    const { der } = readCertificates(readFileSync(at('authority.pem')))[0]!
    return `<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" TSLTag="http://uri.etsi.org/19612/TSLTag">
<SchemeInformation><TSLVersionIdentifier>5</TSLVersionIdentifier><TSLSequenceNumber>1</TSLSequenceNumber>
<TSLType>${type}/TrustedList/TSLType/EUgeneric</TSLType><SchemeOperatorName><Name xml:lang="en">Operator</Name></SchemeOperatorName>
<SchemeTerritory>XX</SchemeTerritory><ListIssueDateTime>2020-01-01T00:00:00Z</ListIssueDateTime>
<NextUpdate><dateTime>${nextUpdate.toISOString()}</dateTime></NextUpdate></SchemeInformation>
<TrustServiceProviderList><TrustServiceProvider><TSPInformation><TSPName><Name xml:lang="en">Provider</Name></TSPName></TSPInformation>
<TSPServices><TSPService><ServiceInformation><ServiceTypeIdentifier>${type}/Svctype/CA/QC</ServiceTypeIdentifier>
<ServiceName><Name xml:lang="en">Service</Name></ServiceName><ServiceDigitalIdentity><DigitalId>
<X509Certificate>${der.toString('base64')}</X509Certificate></DigitalId></ServiceDigitalIdentity>
<ServiceStatus>${type}/TrustedList/Svcstatus/granted</ServiceStatus><StatusStartingTime>2020-01-01T00:00:00Z</StatusStartingTime>
</ServiceInformation></TSPService></TSPServices></TrustServiceProvider></TrustServiceProviderList></TrustServiceStatusList>`
  }

  beforeAll(async () => {
    const subject = ['-subj', '/CN=Scheme operator', '-days', '9', '-addext', 'keyUsage=critical,nonRepudiation']
    const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('operator.key')]
    await openssl(['req', '-x509', ...key, ...subject, '-out', at('operator.pem')])
    const [certificate] = readCertificates(readFileSync(at('operator.pem')))
    const privateKey = createPrivateKey(readFileSync(at('operator.key')))
    const operator = keySigner({ certificate: certificate!, privateKey, chain: [] })
    const day = 24 * 60 * 60 * 1000
    for (const [name, end] of [
      ['list.xml', day],
      ['old.xml', -day],
    ] as const) {
      const xml = Buffer.from(listXml(new Date(Date.now() + end)))
      writeFileSync(at(name), await signXades(xml, operator, { now: new Date() }))
    }
  })

  const list = ['--trusted-list', at('list.xml')]

  test('says whom to trust, if one of its signers signed it', async () => {
    expect((await verify('A1')).code).toBe(exitCodes.indeterminate)
    const { code, err, signature } = await verify('A1', ...list, '--trusted-list-signer', at('operator.pem'))
    expect(code, err).toBe(exitCodes.done)
    expect(signature.certificate.anchor.subject).toBe(
      readCertificates(readFileSync(at('authority.pem')))[0]!.subject.toString(),
    )
  })

  test.each([
    ['of another signer', 'list.xml', 'authority.pem'],
    ['that is out of date', 'old.xml', 'operator.pem'],
    ['that is none', 'A1', 'operator.pem'],
  ])('%s is refused, and nothing verified', async (_what, name, signer) => {
    const { code, err, signature } = await verify('A1', '--trusted-list', at(name), '--trusted-list-signer', at(signer))
    expect(code).toBe(exitCodes.failed)
    expect(err).toContain('--trusted-list')
    expect(signature).toBeUndefined()
  })

  test('and its signers are given together', async () => {
    for (const half of [list, ['--trusted-list-signer', at('operator.pem')]])
      expect((await verify('A1', ...half)).code).toBe(exitCodes.usage)
  })
})
