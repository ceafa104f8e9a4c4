import type { ConsoleRole } from '@chancela/admin-console/contract'
import type { CommandContext, CommonOptions } from './command-context.ts'
import { withOperator } from './operators.ts'
import { type PasswordOptions, passwordOf } from './signatures/secrets.ts'
import { textTable } from './text-table.ts'

const what = 'administrators'

/** What somebody in a role does. */
const inRole: Readonly<Record<ConsoleRole, (service: string) => string>> = {
  administrator: (service) => `administers ${service}`,
  auditor: (service) => `reads everything of ${service} and changes nothing`,
  support: (service) => `helps holders at ${service}`,
}

/** `chancela administrators list <service>` */
export const listAdministratorsCommand = (context: CommandContext, service: string, options: CommonOptions) =>
  withOperator(context, { service, what }, options, async (administrators) => {
    const rows = (await administrators.list()).map((one) => [
      one.email,
      one.name,
      one.role,
      one.secondFactor ? 'set up' : 'none',
      one.created_at,
      one.last_sign_in_at ?? 'never',
    ])
    context.print(textTable(['address', 'name', 'role', 'authenticator app', 'created', 'last sign-in'], rows))
  })

/** `chancela administrators create <service> --email ADDRESS --name NAME [--role ROLE]` */
export const createAdministratorCommand = (
  context: CommandContext,
  service: string,
  options: CommonOptions &
    PasswordOptions & { readonly email: string; readonly name: string; readonly role: ConsoleRole },
) =>
  withOperator(context, { service, what }, options, async (administrators) => {
    const { email, name, role } = options
    const password = await passwordOf(context, options, email)
    await administrators.create({ email, name, password, role })
    context.print(`${email} ${inRole[role](service)}, and sets an authenticator app up at the first sign-in.`)
  })

/** `chancela administrators set-role <service> <email> <role>` */
export const setRoleCommand = (
  context: CommandContext,
  { service, email, role }: { readonly service: string; readonly email: string; readonly role: ConsoleRole },
  options: CommonOptions,
) =>
  withOperator(context, { service, what }, options, async (administrators) => {
    await administrators.changeRole(email, role)
    context.print(`${email} ${inRole[role](service)}.`)
  })

/** `chancela administrators remove <service> <email>` */
export const removeAdministratorCommand = (
  context: CommandContext,
  service: string,
  email: string,
  options: CommonOptions,
) =>
  withOperator(context, { service, what }, options, async (administrators) => {
    await administrators.remove(email)
    context.print(`${email} does not administer ${service} any more.`)
  })

/** `chancela administrators reset-second-factor <service> <email>` */
export const resetSecondFactorCommand = (
  context: CommandContext,
  service: string,
  email: string,
  options: CommonOptions,
) =>
  withOperator(context, { service, what }, options, async (administrators) => {
    await administrators.resetSecondFactor(email)
    context.print(`${email} sets another authenticator app up at the next sign-in.`)
  })
