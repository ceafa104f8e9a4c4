import type { Bilingual } from '@chancela/service-kernel/i18n'

/** What an operator must know of: `critical` refuses calls, `warning` will, or leaves work undone. */
export type Severity = 'critical' | 'warning'

export interface Cause {
  readonly severity: Severity
  /** What is wrong, as a sentence without its point. */
  readonly title: Bilingual
  /** What it means for callers, and where to look. */
  readonly advice: Bilingual
}

/** The checks of readiness, by name up to the first colon → what is told of a red one. */
const causes = {
  database: {
    severity: 'critical',
    title: { 'pt-BR': 'O banco de dados não aceita alterações', 'en-US': 'The database takes no changes' },
    advice: {
      'pt-BR': 'Chamadas que alteram algo recebem 503. Verifique o servidor do banco, o disco e as permissões.',
      'en-US': 'Calls that change something answer 503. Look at the database server, its disk and its rights.',
    },
  },
  storage: {
    severity: 'critical',
    title: {
      'pt-BR': 'O armazenamento de arquivos não grava ou não lê',
      'en-US': 'The storage of files cannot be written or read',
    },
    advice: {
      'pt-BR': 'Envios e downloads recebem 503. Verifique a pasta, o disco ou o serviço S3.',
      'en-US': 'Uploads and downloads answer 503. Look at the folder, its disk or the S3 store.',
    },
  },
  'work-folders': {
    severity: 'critical',
    title: { 'pt-BR': 'As pastas de trabalho não podem ser gravadas', 'en-US': 'The work folders cannot be written' },
    advice: {
      'pt-BR': 'Nenhum arquivo é assinado. Verifique o disco e as permissões.',
      'en-US': 'No file is signed. Look at the disk and at the rights.',
    },
  },
  disk: {
    severity: 'warning',
    title: { 'pt-BR': 'Um disco está quase cheio', 'en-US': 'A disk is nearly full' },
    advice: {
      'pt-BR': 'Libere espaço: com o disco cheio, alterações são recusadas.',
      'en-US': 'Make room: once the disk is full, changes are refused.',
    },
  },
  workers: {
    severity: 'warning',
    title: { 'pt-BR': 'Um processo de segundo plano está parado', 'en-US': 'A background worker is stuck' },
    advice: {
      'pt-BR': 'O trabalho dele não é feito. Veja o log; se nada mudar, reinicie o serviço.',
      'en-US': 'Its work is not done. Look at the log; if nothing changes, restart the service.',
    },
  },
  'signature-service': {
    severity: 'warning',
    title: { 'pt-BR': 'O serviço de assinatura não responde', 'en-US': 'The signature service does not answer' },
    advice: {
      'pt-BR': 'Documentos não são assinados. Verifique o serviço e o caminho de rede até ele.',
      'en-US': 'Documents are not signed. Look at the service and at the network between.',
    },
  },
} as const satisfies Readonly<Record<string, Cause>>

const others: Cause = {
  severity: 'warning',
  title: { 'pt-BR': 'Uma verificação do serviço falhou', 'en-US': 'A check of the service is red' },
  advice: {
    'pt-BR': 'Veja o detalhe abaixo e o log do serviço.',
    'en-US': 'Look at the detail below and at the log of the service.',
  },
}

/** What is told of a red check; also of one that the table does not have. */
export const causeOf = (check: string): Cause =>
  (causes as Readonly<Record<string, Cause>>)[check.split(':', 1)[0]!] ?? others

/** The table of docs/operations.md. */
export function describeCauses(): string {
  const rows = [...Object.entries(causes), ['any other', others] as const].map(
    ([check, { severity, title }]) =>
      `| ${check === 'any other' ? check : `\`${check}\``} | ${severity} | ${title['en-US']} | ${title['pt-BR']} |`,
  )
  return ['| Check | Severity | en-US | pt-BR |', '|---|---|---|---|', ...rows, ''].join('\n')
}
