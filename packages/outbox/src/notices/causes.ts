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
  'master-key': {
    severity: 'critical',
    title: {
      'pt-BR': 'A chave mestra não abre o que está guardado',
      'en-US': 'The master key does not open what is stored',
    },
    advice: {
      'pt-BR': 'Segredos e chaves não podem ser usados. Restaure o arquivo da chave mestra deste banco de dados.',
      'en-US': 'Secrets and keys cannot be used. Put back the master key file of this database.',
    },
  },
  'only-process': {
    severity: 'critical',
    title: {
      'pt-BR': 'Outro processo pode ter assumido o banco de dados',
      'en-US': 'Another process may have taken the database over',
    },
    advice: {
      'pt-BR': 'Pare o outro processo: chaves e PINs de sessões estão na memória de um só.',
      'en-US': 'Stop the other process: keys and PINs of sessions are in the memory of one alone.',
    },
  },
  'cluster-instance': {
    severity: 'warning',
    title: { 'pt-BR': 'Esta instância cedeu o lugar a outra', 'en-US': 'This instance stands down for another' },
    advice: {
      'pt-BR': 'Ela não assume arquivos enquanto a outra vive. Pare uma delas, ou habilite Cluster:Enabled.',
      'en-US': 'It takes no files while the other lives. Stop one of them, or set Cluster:Enabled.',
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
  'audit-chain': {
    severity: 'warning',
    title: { 'pt-BR': 'A cadeia de auditoria está atrasada', 'en-US': 'The audit chain is late' },
    advice: {
      'pt-BR': 'Os registros estão guardados, mas ainda sem elo. Veja o log e a carga do banco de dados.',
      'en-US': 'Records are kept, but have no link yet. Look at the log and at the load of the database.',
    },
  },
  'signing-key': {
    severity: 'critical',
    title: { 'pt-BR': 'Uma chave do serviço não assina', 'en-US': 'A key of the service does not sign' },
    advice: {
      'pt-BR': 'O que ela assina espera ou é recusado. Verifique o arquivo, o token e a senha.',
      'en-US': 'What it signs waits or is refused. Look at its file, its token and its password.',
    },
  },
  token: {
    severity: 'warning',
    title: { 'pt-BR': 'Um token do servidor não pode ser usado', 'en-US': 'A token of the server cannot be used' },
    advice: {
      'pt-BR': 'Os titulares dele não assinam. Verifique o leitor, o HSM, o módulo PKCS#11 e o PIN.',
      'en-US': 'Its holders cannot sign. Look at the reader, the HSM, its PKCS#11 module and the PIN.',
    },
  },
  'signing-profile': {
    severity: 'critical',
    title: { 'pt-BR': 'Um perfil não assina', 'en-US': 'A profile does not sign' },
    advice: {
      'pt-BR': 'Os arquivos dele esperam. Verifique o token, o arquivo da chave e o certificado.',
      'en-US': 'Its files wait. Look at the token, at the file of its key and at the certificate.',
    },
  },
  'signing-profile-keyless': {
    severity: 'warning',
    title: { 'pt-BR': 'Um perfil sem chave não pode ser usado', 'en-US': 'A profile without a key cannot be used' },
    advice: {
      'pt-BR': 'Os arquivos dele esperam. Veja o detalhe abaixo.',
      'en-US': 'Its files wait. Look at the detail below.',
    },
  },
  certificate: {
    severity: 'critical',
    title: {
      'pt-BR': 'Um certificado não serve mais, ou só por dias',
      'en-US': 'A certificate cannot be used, or only for days',
    },
    advice: {
      'pt-BR': 'Expirou, foi revogado ou está no fim. Substitua-o agora.',
      'en-US': 'It expired, was revoked, or is about to end. Replace it now.',
    },
  },
  'certificate-expiring': {
    severity: 'warning',
    title: { 'pt-BR': 'Um certificado expira em breve', 'en-US': 'A certificate expires soon' },
    advice: { 'pt-BR': 'Renove-o a tempo.', 'en-US': 'Renew it in time.' },
  },
  tls: {
    severity: 'warning',
    title: { 'pt-BR': 'O certificado TLS não foi renovado', 'en-US': 'The TLS certificate is not renewed' },
    advice: {
      'pt-BR': 'Clientes recusam um certificado expirado. Verifique os arquivos e quem os renova.',
      'en-US': 'Clients refuse an expired certificate. Look at the files and at what renews them.',
    },
  },
  transport: {
    severity: 'warning',
    title: { 'pt-BR': 'O serviço escuta sem TLS', 'en-US': 'The service listens without TLS' },
    advice: {
      'pt-BR': 'Senhas e chaves trafegam abertas. Configure o certificado, ou o endereço https do proxy.',
      'en-US': 'Passwords and keys travel in clear. Set a certificate, or the https address of the proxy.',
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
  'session-server': {
    severity: 'warning',
    title: { 'pt-BR': 'O servidor de sessões não responde', 'en-US': 'The session server does not answer' },
    advice: { 'pt-BR': 'Ninguém assina com token enquanto isso.', 'en-US': 'Nobody signs with a token meanwhile.' },
  },
  'cloud-hub': {
    severity: 'warning',
    title: {
      'pt-BR': 'O hub de certificados em nuvem não responde',
      'en-US': 'The cloud certificate hub does not answer',
    },
    advice: {
      'pt-BR': 'Ninguém assina com certificado em nuvem enquanto isso.',
      'en-US': 'Nobody signs with a cloud certificate meanwhile.',
    },
  },
  provider: {
    severity: 'warning',
    title: {
      'pt-BR': 'Um provedor de certificados em nuvem não responde',
      'en-US': 'A provider of cloud certificates does not answer',
    },
    advice: {
      'pt-BR': 'Os titulares dele não assinam; os dos outros, sim. Verifique o caminho de rede até ele.',
      'en-US': 'Its holders cannot sign; those of others can. Look at the network between.',
    },
  },
  'timestamp-authority': {
    severity: 'warning',
    title: {
      'pt-BR': 'A autoridade de carimbo do tempo não responde',
      'en-US': 'The timestamp authority does not answer',
    },
    advice: {
      'pt-BR': 'Assinaturas com carimbo do tempo esperam ou são recusadas.',
      'en-US': 'Signatures with a timestamp wait or are refused.',
    },
  },
  'mail-server': {
    severity: 'warning',
    title: { 'pt-BR': 'O servidor de e-mail não responde', 'en-US': 'The mail server does not answer' },
    advice: {
      'pt-BR': 'E-mails esperam e são enviados depois. Verifique o endereço, a porta e o certificado dele.',
      'en-US': 'Mails wait and are sent later. Look at its address, its port and its certificate.',
    },
  },
  'identity-provider': {
    severity: 'warning',
    title: { 'pt-BR': 'O provedor de identidade não responde', 'en-US': 'The identity provider does not answer' },
    advice: {
      'pt-BR': 'Ninguém entra por ele; quem já entrou continua.',
      'en-US': 'Nobody can sign in there; whoever did goes on.',
    },
  },
  'document-platforms': {
    severity: 'warning',
    title: { 'pt-BR': 'Uma plataforma de documentos não responde', 'en-US': 'A document platform does not answer' },
    advice: {
      'pt-BR': 'Documentos enviados a ela esperam. O detalhe diz qual é.',
      'en-US': 'Documents that go there wait. The detail says which one it is.',
    },
  },
  'input-folder': {
    severity: 'warning',
    title: { 'pt-BR': 'Uma pasta de entrada não pode ser usada', 'en-US': 'An input folder cannot be used' },
    advice: {
      'pt-BR': 'Os arquivos dela não são assinados. Verifique o compartilhamento e as permissões.',
      'en-US': 'Its files are not signed. Look at the share and at its rights.',
    },
  },
  'profile-input-folder': {
    severity: 'warning',
    title: {
      'pt-BR': 'A pasta de entrada de um perfil não existe neste servidor',
      'en-US': 'A profile has no input folder on this host',
    },
    advice: {
      'pt-BR': 'Configure a pasta, ou escolha outra no perfil.',
      'en-US': 'Configure the folder, or choose another one in the profile.',
    },
  },
  outputs: {
    severity: 'warning',
    title: { 'pt-BR': 'Arquivos assinados não saem', 'en-US': 'Signed files are not put out' },
    advice: {
      'pt-BR': 'Verifique a pasta de saída e as permissões.',
      'en-US': 'Look at the output folder and at its rights.',
    },
  },
  // Conditions of what the service looks after: none of them is a check of readiness.
  'held-certificates-expiring': {
    severity: 'warning',
    title: { 'pt-BR': 'Certificados de titulares expiram em breve', 'en-US': 'Certificates of holders expire soon' },
    advice: {
      'pt-BR': 'Depois disso eles não assinam mais. Os titulares precisam renová-los.',
      'en-US': 'They sign no more after that. Their holders must renew them.',
    },
  },
  'agents-offline': {
    severity: 'warning',
    title: { 'pt-BR': 'Estações não se conectam há muito tempo', 'en-US': 'Workstations have not connected for long' },
    advice: {
      'pt-BR': 'Os titulares delas não assinam. Verifique o agente e o computador, ou revogue a estação.',
      'en-US': 'Their holders cannot sign. Look at the agent and the computer, or revoke the workstation.',
    },
  },
  'cpfs-locked': {
    severity: 'warning',
    title: { 'pt-BR': 'CPFs estão bloqueados por PINs errados', 'en-US': 'CPFs are locked after wrong PINs' },
    advice: {
      'pt-BR': 'Eles não abrem sessões até o fim do bloqueio. Na página Bloqueios se vê quem e se limpa.',
      'en-US': 'They open no session until it ends. The page Lockouts says who, and clears it.',
    },
  },
  'provider-credentials': {
    severity: 'warning',
    title: {
      'pt-BR': 'Um provedor de certificados em nuvem não aceita as credenciais do hub',
      'en-US': 'A provider of cloud certificates does not accept the credentials of the hub',
    },
    advice: {
      'pt-BR': 'Ninguém é autorizado lá. Corrija o client id e o segredo, ou cadastre o hub de novo.',
      'en-US': 'Nobody is authorized there. Correct the client id and the secret, or register the hub again.',
    },
  },
  'provider-discovery': {
    severity: 'warning',
    title: {
      'pt-BR': 'Um provedor de certificados em nuvem não diz quem tem certificado',
      'en-US': 'A provider of cloud certificates does not tell who has a certificate',
    },
    advice: {
      'pt-BR': 'Para quem ainda não foi encontrado lá, é como se não tivesse certificado. Ele continua assinando.',
      'en-US': 'Who was not found there before seems to have no certificate. It goes on signing.',
    },
  },
  'provider-unusable': {
    severity: 'warning',
    title: {
      'pt-BR': 'Um provedor de certificados em nuvem não pode ser usado pelo hub',
      'en-US': 'A provider of cloud certificates cannot be used by the hub',
    },
    advice: {
      'pt-BR':
        'O segredo está sob outra chave mestra, ou os ajustes são de outra versão. Veja o log e salve-o de novo.',
      'en-US':
        'Its secret is under another master key, or its settings are of another version. Look at the log, and save it again.',
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
