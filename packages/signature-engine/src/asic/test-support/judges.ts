import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, runTool, type ToolRun, temporaryFolder } from '@chancela/testkit/tools'
import { toPem } from '../../der/pem.ts'
import type { Certificate } from '../../x509/certificate.ts'

/** A container unpacked by unzip, which must find nothing wrong with it; the folder it is in. */
export async function unpacked(container: Uint8Array, root: Certificate): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'container.zip'), container)
  writeFileSync(join(folder, 'root.pem'), toPem('CERTIFICATE', root.der))
  mkdirSync(join(folder, 'in'))
  for (const args of [
    ['-tqq', 'container.zip'],
    ['-q', 'container.zip', '-d', 'in'],
  ]) {
    const { ok, text } = await runTool('unzip', args, { folder })
    if (!ok) throw new Error(text)
  }
  return folder
}

/** The result of `openssl cms -verify` of a signature in an unpacked container over another of its files. */
export const opensslVerifiesIn = (folder: string, signature: string, content: string): Promise<ToolRun> =>
  openssl(
    [
      ...['cms', '-verify', '-cades', '-binary', '-purpose', 'any', '-CAfile', 'root.pem', '-inform', 'DER'],
      ...['-in', join('in', signature), '-content', join('in', content)],
    ],
    { folder },
  )

/** The result of `openssl ts -verify` of a timestamp in an unpacked container; `roots` are those of the authority. */
export const opensslVerifiesToken = (folder: string, token: string, content: string): Promise<ToolRun> =>
  openssl(
    ['ts', '-verify', '-token_in', '-in', join('in', token), '-data', join('in', content), '-CAfile', 'root.pem'],
    { folder },
  )

/** The result of `xmlsec1 --verify` of one signature (counted from 1) of a file, run where its references lead. */
export function xmlsecVerifiesIn(folder: string, file: string, nth = 1): Promise<ToolRun> {
  const where = join(folder, 'in')
  const path = `/*/*[local-name()='Signature'][${nth}]`
  return runTool(
    'xmlsec1',
    [
      ...['--verify', '--trusted-pem', '../root.pem', '--node-xpath', path],
      ...['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties', file],
    ],
    { folder: where },
  )
}

export const fileIn = (folder: string, name: string): Buffer => readFileSync(join(folder, 'in', name))
