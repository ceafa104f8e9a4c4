// The sentences of operational events.
import type { Both } from './history-texts.ts'

/** What operators did. */
const acts = {
  'reason-given': { 'en-US': 'Reason: {reason}', 'pt-BR': 'Motivo: {reason}' },
  'pipeline-paused': { 'en-US': 'Pipeline paused by {actor}.', 'pt-BR': 'Processamento pausado por {actor}.' },
  'pipeline-resumed': { 'en-US': 'Pipeline resumed by {actor}.', 'pt-BR': 'Processamento retomado por {actor}.' },
  'folder-paused': {
    'en-US': 'The input folder {folder} was paused by {actor}.',
    'pt-BR': 'A pasta de entrada {folder} foi pausada por {actor}.',
  },
  'folder-resumed': {
    'en-US': 'The input folder {folder} was resumed by {actor}.',
    'pt-BR': 'A pasta de entrada {folder} foi retomada por {actor}.',
  },
  'folder-added': {
    'en-US': 'The input folder {folder} was added: {path}.',
    'pt-BR': 'A pasta de entrada {folder} foi acrescentada: {path}.',
  },
  'folder-edited': {
    'en-US': 'The input folder {folder} was edited: {path}.',
    'pt-BR': 'A pasta de entrada {folder} foi alterada: {path}.',
  },
  'folder-removed': {
    'en-US': 'The input folder {folder} was removed; its files stay.',
    'pt-BR': 'A pasta de entrada {folder} foi removida; os arquivos dela ficam.',
  },
  'profile-created': {
    'en-US': 'The signing profile {profile} was created.',
    'pt-BR': 'O perfil de assinatura {profile} foi criado.',
  },
  'profile-seeded': {
    'en-US': 'The signing profile {profile} was created from the configuration.',
    'pt-BR': 'O perfil de assinatura {profile} foi criado a partir da configuração.',
  },
  'profile-edited': {
    'en-US': 'The signing profile {profile} was edited: {what}.',
    'pt-BR': 'O perfil de assinatura {profile} foi alterado: {what}.',
  },
  nothing: { 'en-US': 'nothing', 'pt-BR': 'nada' },
  'profile-certificate-edited': {
    'en-US': 'The certificate of the signing profile {profile} was edited.',
    'pt-BR': 'O certificado do perfil de assinatura {profile} foi alterado.',
  },
  'second-factor-enrolled': {
    'en-US': 'The approver {email} enrolled an authenticator app.',
    'pt-BR': 'O aprovador {email} cadastrou um aplicativo autenticador.',
  },
  'second-factor-reset': {
    'en-US': 'The authenticator app of the approver {email} was forgotten by {actor}.',
    'pt-BR': 'O aplicativo autenticador do aprovador {email} foi esquecido por {actor}.',
  },
  'sign-in-locked': {
    'en-US': 'After {count} wrong keys nobody signs in from {client} for {minutes} minutes.',
    'pt-BR': 'Depois de {count} chaves erradas, ninguém entra de {client} por {minutes} minutos.',
  },
  'operator-signed-in': { 'en-US': 'The operator {who} signed in.', 'pt-BR': 'O operador {who} entrou.' },
  'job-canceled-by': {
    'en-US': 'Job {job} canceled by {actor}.',
    'pt-BR': 'Trabalho {job} cancelado por {actor}.',
  },
  'job-retried-by': {
    'en-US': 'Job {job} retried as {retry} by {actor}.',
    'pt-BR': 'Trabalho {job} repetido como {retry} por {actor}.',
  },
  'webhooks-replayed': {
    'en-US': 'Deliveries to the webhook {endpoint} sent again by {actor}: {count}.',
    'pt-BR': 'Entregas ao webhook {endpoint} enviadas de novo por {actor}: {count}.',
  },
  'sessions-ended': {
    'en-US': 'Sessions of {who} ended by {actor}: {count}.',
    'pt-BR': 'Sessões de {who} encerradas por {actor}: {count}.',
  },
  'job-deleted': {
    'en-US': 'Job of {file} ({status}) deleted by {actor}.',
    'pt-BR': 'Trabalho de {file} ({status}) excluído por {actor}.',
  },
  'audit-exported': {
    'en-US': 'Audit chain exported by {actor}.',
    'pt-BR': 'Trilha de auditoria exportada por {actor}.',
  },
  'jobs-cleared': { 'en-US': 'Jobs cleared by {actor}.', 'pt-BR': 'Trabalhos limpos por {actor}.' },
  'jobs-gone': { 'en-US': '{deleted} jobs deleted.', 'pt-BR': '{deleted} trabalhos excluídos.' },
  'jobs-gone-but': {
    'en-US': '{deleted} jobs deleted, {failed} could not be and stay.',
    'pt-BR': '{deleted} trabalhos excluídos; {failed} não puderam ser e ficam.',
  },
  'unsigned-stay': {
    'en-US': '{count} files that were not signed stay in error/.',
    'pt-BR': '{count} arquivos que não foram assinados ficam em error/.',
  },
  'failures-retried': {
    'en-US': 'Of the failures by {cause} since {since}, {taken} were queued again and {refused} could not be.',
    'pt-BR': 'Das falhas por {cause} desde {since}, {taken} voltaram à fila e {refused} não puderam.',
  },
  rescanned: {
    'en-US': 'Rescan of {folders} by {actor}: {scanned} files seen, {enqueued} enqueued, {errors} errors.',
    'pt-BR':
      'Nova varredura de {folders} por {actor}: {scanned} arquivos vistos, {enqueued} postos na fila, {errors} erros.',
  },
  'files-released': {
    'en-US': '{count} held files of the input folder {folder} were released by {actor}.',
    'pt-BR': '{count} arquivos retidos da pasta de entrada {folder} foram liberados por {actor}.',
  },
} as const satisfies Readonly<Record<string, Both>>

/** What was edited of an approval rule. */
const ruleEdits = {
  'profile-approval-edited': {
    'en-US': 'The approval rule of the signing profile {profile} was edited: {what}.',
    'pt-BR': 'A regra de aprovação do perfil de assinatura {profile} foi alterada: {what}.',
  },
  'rule-set': {
    'en-US': 'approvals needed: {needed} of {pool}',
    'pt-BR': 'aprovações necessárias: {needed} de {pool}',
  },
  'rule-removed': { 'en-US': 'nobody needs to approve any more', 'pt-BR': 'ninguém precisa mais aprovar' },
  'rule-quorum': {
    'en-US': 'approvals needed: {after} (before: {before})',
    'pt-BR': 'aprovações necessárias: {after} (antes: {before})',
  },
  'rule-expiry': {
    'en-US': 'files wait {after} (before: {before})',
    'pt-BR': 'os arquivos aguardam {after} (antes: {before})',
  },
  'rule-no-expiry': { 'en-US': 'without end', 'pt-BR': 'sem prazo' },
  'rule-signers': {
    'en-US': 'who signs: {after} (before: {before})',
    'pt-BR': 'quem assina: {after} (antes: {before})',
  },
  'signs-ProfileKey': { 'en-US': 'the key of the profile', 'pt-BR': 'a chave do perfil' },
  'signs-Approvers': { 'en-US': 'the approvers', 'pt-BR': 'os aprovadores' },
  'signs-ProfileKeyAndApprovers': {
    'en-US': 'the key of the profile and the approvers',
    'pt-BR': 'a chave do perfil e os aprovadores',
  },
  'approver-added': { 'en-US': 'added {approver}', 'pt-BR': 'acrescentado {approver}' },
  'approver-removed': { 'en-US': 'removed {approver}', 'pt-BR': 'removido {approver}' },
  'approver-rewritten': { 'en-US': '{before} is now {after}', 'pt-BR': '{before} agora é {after}' },
  'approver-cpf': { 'en-US': 'another CPF of {approver}', 'pt-BR': 'outro CPF de {approver}' },
} as const satisfies Readonly<Record<string, Both>>

/** What happened by itself. */
const happenings = {
  'service-started': { 'en-US': 'Service {version} started.', 'pt-BR': 'O serviço {version} foi iniciado.' },
  'service-stopping': { 'en-US': 'Service {version} is stopping.', 'pt-BR': 'O serviço {version} está parando.' },
  'about-file': { 'en-US': '{file}: {what}', 'pt-BR': '{file}: {what}' },
  'instance-stood-down': {
    'en-US': 'The instance {instance} did not answer for too long; another took over, and it signs nothing.',
    'pt-BR': 'A instância {instance} ficou tempo demais sem responder; outra assumiu, e ela não assina nada.',
  },
  'instance-resumed': {
    'en-US': 'The instance {instance} signs again: no other one is alive.',
    'pt-BR': 'A instância {instance} voltou a assinar: não há outra viva.',
  },
  'instance-stale': {
    'en-US': 'The instance {instance} gave no sign of life since {since}; its jobs are taken over.',
    'pt-BR': 'A instância {instance} não dá sinal de vida desde {since}; os trabalhos dela são assumidos.',
  },
  'folder-stuck': {
    'en-US': 'The input folder {folder} was stopped. {why} It goes on when the file can be removed.',
    'pt-BR': 'A pasta de entrada {folder} foi parada. {why} Ela continua quando o arquivo puder ser removido.',
  },
  'folder-freed': {
    'en-US': 'The input folder {folder} goes on: what had been signed could be removed.',
    'pt-BR': 'A pasta de entrada {folder} continua: o que tinha sido assinado pôde ser removido.',
  },
  'output-waits': {
    'en-US':
      'The signed file of {file} waits: another file has its name {path}. It is put there when the name is free.',
    'pt-BR':
      'O arquivo assinado de {file} aguarda: outro arquivo tem o nome dele, {path}. Ele é posto lá quando o nome estiver livre.',
  },
  'input-diverged': {
    'en-US': 'The input {file} was left in place after its job: {why}.',
    'pt-BR': 'A entrada {file} ficou no lugar depois do trabalho: {why}.',
  },
  'profile-held': {
    'en-US': 'The profile {name} is held; its files wait. {why}',
    'pt-BR': 'O perfil {name} está retido; os arquivos dele aguardam. {why}',
  },
  'profile-signs-again': {
    'en-US': 'The profile {name} signs again; it was held since {since}.',
    'pt-BR': 'O perfil {name} voltou a assinar; estava retido desde {since}.',
  },
  'folder-held': {
    'en-US': 'The input folder {name} was stopped; its files wait. {why}',
    'pt-BR': 'A pasta de entrada {name} foi parada; os arquivos dela aguardam. {why}',
  },
  'folder-goes-on': {
    'en-US': 'The input folder {name} goes on; it was stopped since {since}.',
    'pt-BR': 'A pasta de entrada {name} continua; estava parada desde {since}.',
  },
  'certificate-expiring': {
    'en-US': 'The certificate of the profile {profile} ({holder}) expires on {notAfter}.',
    'pt-BR': 'O certificado do perfil {profile} ({holder}) expira em {notAfter}.',
  },
  'storage-paused': {
    'en-US': 'The pipeline paused itself: {why} Jobs wait; none fails by it.',
    'pt-BR': 'O processamento pausou sozinho: {why} Os trabalhos aguardam; nenhum falha por isso.',
  },
  'storage-resumed': {
    'en-US': 'The pipeline goes on: its storage can be written again.',
    'pt-BR': 'O processamento continua: o armazenamento pode ser gravado de novo.',
  },
  'backup-stored': {
    'en-US': 'Backup {file} stored, {size} bytes.',
    'pt-BR': 'O backup {file} foi gravado, {size} bytes.',
  },
  'backup-key-apart': {
    'en-US': 'The master key file is not part of it: keep that apart, or the secrets in the backup cannot be opened.',
    'pt-BR':
      'O arquivo da chave mestra não faz parte dele: guarde-o à parte, ou os segredos do backup não poderão ser abertos.',
  },
  'backup-not-stored': {
    'en-US': 'Backup {file} was not stored. {why}',
    'pt-BR': 'O backup {file} não foi gravado. {why}',
  },
  'backup-canceled': { 'en-US': 'Canceled by an operator.', 'pt-BR': 'Cancelado por um operador.' },
  'backup-interrupted': {
    'en-US': 'The service stopped during the backup.',
    'pt-BR': 'O serviço parou durante o backup.',
  },
  cleaned: {
    'en-US':
      'Cleanup removed {jobs} jobs, {outputs} output files, {errorFolders} error folders and {events} events; {missing} files were missing, {kept} jobs were kept.',
    'pt-BR':
      'A limpeza removeu {jobs} trabalhos, {outputs} arquivos de saída, {errorFolders} pastas de erro e {events} eventos; {missing} arquivos não existiam mais, {kept} trabalhos ficaram.',
  },
  'unsigned-jobs-stay': {
    'en-US': '{count} jobs stay with the only copy of a file that was not signed.',
    'pt-BR': '{count} trabalhos ficam com a única cópia de um arquivo que não foi assinado.',
  },
  recovered: {
    'en-US':
      '{interrupted} job(s) were interrupted and are Failed; {finished} completed job(s) had their input settled; the leftovers of {putAway} job(s) were put away.',
    'pt-BR':
      '{interrupted} trabalho(s) foram interrompidos e falharam; {finished} trabalho(s) concluídos tiveram a entrada resolvida; os restos de {putAway} trabalho(s) foram guardados.',
  },
  'files-held': {
    'en-US': '{count} files that lie in the input folder {folder} are held until an operator releases them.',
    'pt-BR': '{count} arquivos que estão na pasta de entrada {folder} ficam retidos até que um operador os libere.',
  },
  'uploads-canceled': {
    'en-US': '{count} uploads that waited are canceled: send them again.',
    'pt-BR': '{count} envios que aguardavam foram cancelados: envie-os de novo.',
  },
  'file-refused': {
    'en-US': 'The file {file} of the input folder {folder} was refused: {why}',
    'pt-BR': 'O arquivo {file} da pasta de entrada {folder} foi recusado: {why}',
  },
  'file-waits': {
    'en-US': 'The file {file} of the input folder {folder} is not taken: {why}.',
    'pt-BR': 'O arquivo {file} da pasta de entrada {folder} não é aceito: {why}.',
  },
} as const satisfies Readonly<Record<string, Both>>

/** What people decided. */
const decisions = {
  'approval-recorded': {
    'en-US': '{name} approved {file}: {approved} of {required}.',
    'pt-BR': '{name} aprovou {file}: {approved} de {required}.',
  },
  'approval-rejected': { 'en-US': '{name} rejected {file}.', 'pt-BR': '{name} rejeitou {file}.' },
  'approval-expired': {
    'en-US': 'The approval window of {file} expired at {at}; the job was canceled.',
    'pt-BR': 'O prazo de aprovação de {file} terminou em {at}; o trabalho foi cancelado.',
  },
  'rejected-file-handed-back': {
    'en-US': 'The rejected file {file} was handed back, not signed, as {name}.',
    'pt-BR': 'O arquivo rejeitado {file} foi devolvido, sem assinatura, como {name}.',
  },
  'rejected-file-not-handed-back': {
    'en-US': 'The rejected file {file} was not handed back: {name} exists. Its copy is in error/.',
    'pt-BR': 'O arquivo rejeitado {file} não foi devolvido: {name} já existe. A cópia está em error/.',
  },
} as const satisfies Readonly<Record<string, Both>>

export const eventTexts = { ...acts, ...ruleEdits, ...happenings, ...decisions } as const
