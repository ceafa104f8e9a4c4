import type { CommandContext, CommonOptions } from './command-context.ts'
import { withOperator } from './operators.ts'
import { readInput } from './signatures/files.ts'
import { type PasswordOptions, passwordOf } from './signatures/secrets.ts'
import { textTable } from './text-table.ts'

const what = 'vault'

/** A PKCS#12 as the options name it. */
export interface FileOptions extends CommonOptions, PasswordOptions {
  readonly file: string
  readonly cpf?: string
}

/** `chancela vault list <service>` */
export const listVaultCommand = (
  context: CommandContext,
  service: string,
  options: CommonOptions & { readonly cpf?: string },
) =>
  withOperator(context, { service, what }, options, async (vault) => {
    const rows = (await vault.list(options.cpf)).map((one) => [
      one.id,
      one.cpf,
      one.status,
      one.not_after,
      one.subject_name,
    ])
    context.print(textTable(['id', 'cpf', 'status', 'expires', 'subject'], rows))
  })

/** `chancela vault import <service> --file FILE`: the password of the file is the PIN of its certificate. */
export const importCommand = (context: CommandContext, service: string, options: FileOptions) =>
  withOperator(context, { service, what }, options, async (vault) => {
    const { id, cpf, subject_name } = await vault.import(await brought(context, options))
    context.print(`${subject_name} is in the vault for ${cpf}: ${id}`)
  })

/** `chancela vault replace <service> <id> --file FILE` */
export const replaceCommand = (context: CommandContext, service: string, id: string, options: FileOptions) =>
  withOperator(context, { service, what }, options, async (vault) => {
    const fresh = await vault.replace(id, await brought(context, options))
    context.print(`${fresh.subject_name} took the place of ${id} for ${fresh.cpf}: ${fresh.id}`)
  })

/** `chancela vault remove <service> <id>` */
export const removeCommand = (context: CommandContext, service: string, id: string, options: CommonOptions) =>
  withOperator(context, { service, what }, options, async (vault) => {
    await vault.remove(id)
    context.print(`${id} is in the vault no more.`)
  })

async function brought(context: CommandContext, options: FileOptions) {
  const file = await readInput(options.file)
  const pin = await passwordOf(context, options, options.file)
  return { file, pin, ...(options.cpf !== undefined && { cpf: options.cpf }) }
}
