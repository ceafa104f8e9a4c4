// The lines of a job's history.

/** A sentence in the languages of the dashboard; `{names}` are its facts. */
export interface Both {
  readonly 'en-US': string
  readonly 'pt-BR': string
}

export const historyTexts = {
  found: {
    'en-US': 'Found in the input folder {folder}.',
    'pt-BR': 'Encontrado na pasta de entrada {folder}.',
  },
  'found-by-rescan': {
    'en-US': 'Found in the input folder {folder} by a rescan.',
    'pt-BR': 'Encontrado na pasta de entrada {folder} por uma nova varredura.',
  },
  uploaded: {
    'en-US': 'Uploaded: {length} bytes, SHA-256 {sha256}.',
    'pt-BR': 'Enviado: {length} bytes, SHA-256 {sha256}.',
  },
  'retry-of': { 'en-US': 'Retry of job {job}.', 'pt-BR': 'Nova tentativa do trabalho {job}.' },
  'picked-up': { 'en-US': 'Picked up.', 'pt-BR': 'Iniciado.' },
  signed: {
    'en-US': 'Signed {length} bytes, SHA-256 {sha256}, as {format}.',
    'pt-BR': 'Assinados {length} bytes, SHA-256 {sha256}, como {format}.',
  },
  verified: {
    'en-US': 'Verified; {length} bytes put into {folder} as {name}.',
    'pt-BR': 'Verificado; {length} bytes postos em {folder} como {name}.',
  },
  'not-verified': {
    'en-US': 'Not verified, because the profile does not ask for it; {length} bytes put into {folder} as {name}.',
    'pt-BR': 'Não verificado, porque o perfil não o pede; {length} bytes postos em {folder} como {name}.',
  },
  'waits-again': { 'en-US': 'Waits again: {why}', 'pt-BR': 'Aguarda de novo: {why}' },
  'not-copied': {
    'en-US': 'The file could not be copied to error/; it is still where it was.',
    'pt-BR': 'O arquivo não pôde ser copiado para error/; ele continua onde estava.',
  },
  'input-left': {
    'en-US': 'The input file was left in place: {why}.',
    'pt-BR': 'O arquivo de entrada ficou no lugar: {why}.',
  },
  parked: {
    'en-US': 'Waits for approval: {required} of {pool} approvers. {length} bytes, SHA-256 {sha256}.',
    'pt-BR': 'Aguarda aprovação: {required} de {pool} aprovadores. {length} bytes, SHA-256 {sha256}.',
  },
  'waits-until': { 'en-US': 'The wait ends at {at}.', 'pt-BR': 'A espera termina em {at}.' },
  'approved-by': {
    'en-US': 'Approved by {name} ({email}): {approved} of {required}.',
    'pt-BR': 'Aprovado por {name} ({email}): {approved} de {required}.',
  },
  released: {
    'en-US': 'Approved by {name} ({email}): {approved} of {required}. Released to be signed.',
    'pt-BR': 'Aprovado por {name} ({email}): {approved} de {required}. Liberado para assinatura.',
  },
  'rejected-by': { 'en-US': 'Rejected by {name} ({email}).', 'pt-BR': 'Rejeitado por {name} ({email}).' },
  expired: {
    'en-US': 'The approval window expired at {at}.',
    'pt-BR': 'O prazo de aprovação terminou em {at}.',
  },
  'not-handed-back': {
    'en-US': 'Not handed back: {name} exists. The copy is in error/; the input file was left in place.',
    'pt-BR': 'Não devolvido: {name} já existe. A cópia está em error/; o arquivo de entrada ficou no lugar.',
  },
  canceled: { 'en-US': 'Operator canceled.', 'pt-BR': 'Cancelado por um operador.' },
  'canceled-for': { 'en-US': 'Operator canceled: {reason}.', 'pt-BR': 'Cancelado por um operador: {reason}.' },
  'canceled-to-delete': {
    'en-US': 'Operator canceled: the job is deleted.',
    'pt-BR': 'Cancelado por um operador: o trabalho é excluído.',
  },
  'canceled-to-clear': {
    'en-US': 'Operator canceled: jobs are cleared.',
    'pt-BR': 'Cancelado por um operador: os trabalhos são limpos.',
  },
  'canceled-as-held': { 'en-US': 'Held.', 'pt-BR': 'Retido.' },
  'upload-removed': {
    'en-US': 'The uploaded file was removed; upload it again to have it signed.',
    'pt-BR': 'O arquivo enviado foi removido; envie-o de novo para que seja assinado.',
  },
  'remittance-passed': {
    'en-US':
      'CNAB240 remittance of {payer} for bank {bank}: {payments} payment(s), {total}, {exclusions} exclusion(s), {dates}.',
    'pt-BR':
      'Remessa CNAB240 de {payer} para o banco {bank}: {payments} pagamento(s), {total}, {exclusions} exclusão(ões), {dates}.',
  },
  'payer-unnamed': { 'en-US': 'an unnamed payer', 'pt-BR': 'um pagador sem nome' },
  'payment-dates': { 'en-US': 'payment dates {dates}', 'pt-BR': 'datas de pagamento {dates}' },
  'no-payment-dates': { 'en-US': 'no payment date', 'pt-BR': 'nenhuma data de pagamento' },
  'remittance-refused': {
    'en-US': 'Not a compliant CNAB240 remittance: {count} violation(s).',
    'pt-BR': 'Não é uma remessa CNAB240 em conformidade: {count} violação(ões).',
  },
  'violations-cut': {
    'en-US': 'The list is cut: {more} more violation(s) were found.',
    'pt-BR': 'A lista foi cortada: há mais {more} violação(ões).',
  },
  warning: { 'en-US': 'Warning: {finding}', 'pt-BR': 'Aviso: {finding}' },
  'warnings-cut': {
    'en-US': 'The list of warnings is cut: there are more.',
    'pt-BR': 'A lista de avisos foi cortada: há mais.',
  },
  'remittance-undated': {
    'en-US': 'The remittance carries no payment date.',
    'pt-BR': 'A remessa não tem data de pagamento.',
  },
  'remittance-in-time': {
    'en-US': 'The earliest payment date is {earliest} and today is {today}.',
    'pt-BR': 'A primeira data de pagamento é {earliest} e hoje é {today}.',
  },
  'dates-not-checked': {
    'en-US': 'The payment dates were not checked, because the profile {profile} does not ask for it.',
    'pt-BR': 'As datas de pagamento não foram conferidas, porque o perfil {profile} não o pede.',
  },
} as const satisfies Readonly<Record<string, Both>>
