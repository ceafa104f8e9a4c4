import { StartupProblem } from '@chancela/service-kernel/errors'
import { type DigestSigner, openPkcs11, pkcs12Signer } from '@chancela/signature-engine/keys'
import type { CommandContext } from '../command-context.ts'
import { readInput } from './files.ts'
import { type PasswordOptions, passwordOf } from './secrets.ts'

export interface KeyOptions extends PasswordOptions {
  readonly pkcs12?: string
  readonly pkcs11?: string
  /** Label or serial number of the token. */
  readonly token?: string
  /** Label, id or certificate fingerprint of the key on the token. */
  readonly certificate?: string
}

/** Opens the key to sign with, from a file or a token. Closing the signer also closes the token. */
export async function openSigner(context: CommandContext, options: KeyOptions): Promise<DigestSigner> {
  if (options.pkcs12 !== undefined) return fromFile(context, options.pkcs12, options)
  if (options.pkcs11 !== undefined) return fromToken(context, options.pkcs11, options)
  throw new StartupProblem('The key is missing: give --pkcs12 FILE or --pkcs11 MODULE.')
}

async function fromFile(context: CommandContext, path: string, options: KeyOptions): Promise<DigestSigner> {
  const file = await readInput(path)
  return pkcs12Signer(file, await passwordOf(context, options, path))
}

async function fromToken(context: CommandContext, module: string, options: KeyOptions): Promise<DigestSigner> {
  const pin = await passwordOf(context, options, options.token ?? 'the token')
  const token = await openPkcs11({ module, pin, ...(options.token !== undefined && { token: options.token }) })
  try {
    return { ...token.signer(options.certificate), close: () => token.close() }
  } catch (error) {
    await token.close()
    throw error
  }
}
