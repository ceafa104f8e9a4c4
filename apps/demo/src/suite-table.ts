import { textTable } from '@chancela/cli'
import type { RunningService } from '@chancela/service-kernel/service'
import type { DemoAdministrator } from './demo-administrator.ts'
import type { DemoFile } from './demo-file.ts'

/** What `npm start` prints once everything answers. */
export function suiteTable(
  services: readonly RunningService[],
  file: DemoFile,
  { email, password }: DemoAdministrator,
  dataFolder: string,
): string {
  const rows = services.flatMap(({ surfaces }) =>
    surfaces.map(({ definition, baseUrl }) => [
      definition.name,
      baseUrl,
      definition.referencePath ? `${baseUrl}${definition.referencePath}` : '-',
      file.services[definition.name]?.apiKey ?? '-',
    ]),
  )
  const home = file.services.home
  return [
    '',
    textTable(['service', 'base URL', 'reference', 'demo key'], rows),
    '',
    ...(home ? [`Open ${home.baseUrl} and sign a first document; e-mails arrive at ${home.baseUrl}/mail.`] : []),
    `Pages and consoles let ${email} in with the password ${password}, which this installation made.`,
    `Keys, holders and paths are in ${dataFolder}/demo.json; logs in ${dataFolder}/demo.log. Ctrl+C stops everything.`,
  ].join('\n')
}
