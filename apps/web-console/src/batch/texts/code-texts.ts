import type { Catalogue } from '../../shared/i18n/catalogue.ts'

const english = {
  'job.not-found': 'There is no such job. It may have been deleted, by retention or by an operator.',
  'job.not-queued': 'The job is no longer queued, so it cannot be canceled. Wait until it has ended.',
  'job.race-lost': 'A worker took the job a moment before. Look at its status and try again if it still makes sense.',
  'job.not-failed': 'Only a failed job can be retried.',
  'job.rejected-not-retriable': 'An approver rejected this file. It cannot be retried; hand in a corrected file.',
  'job.input-missing': 'The original input file is gone. Put it back into its folder or upload it again.',
  'job.output-unavailable': 'There is no output to download: the job has not been completed.',
  'job.output-gone':
    'The output file is no longer in the output folder. Somebody moved it, or the naming of the profile has changed.',
  'job.archive-empty': 'Choose at least one completed job.',
  'job.archive-too-large': 'A ZIP holds at most 50 jobs. Choose fewer.',
  'job.already-processing': 'Another job is working on this very file. Wait until it has ended.',
  'file.already-processed':
    'A file of this name is already signed or being signed. Rename the file, or delete the job that holds the name.',
  'job.path-too-long': 'The path of the file has more than 850 characters. Shorten the name or the folder.',
  'job.in-flight': 'The job is being signed right now. Wait until it has ended.',
  'job.input-held': 'Another program held the input file open, so nothing was signed. Close it there and retry.',
  'job.input-diverged':
    'The input file was rewritten while it was being signed. What was staged is signed; the new file stays in place.',
  'job.input-unstable':
    'The input file kept changing while it was read, so nothing was signed. Retry once it is complete.',
  'job.interrupted': 'The service stopped while it worked on the job. The input is untouched: retry.',
  'job.signing-failed':
    'The signature could not be made. The message and the history say at which point; retry once the cause is gone.',
  'job.verification-failed':
    'The signature that was made did not verify, so it was not handed out. Check the certificate and its chain before retrying.',
  'job.encryption-failed': 'The output could not be encrypted. Check the encryption certificates of the profile.',
  'job.output-exists':
    'A file of that name already lies in the output folder and is never overwritten. Move it away and retry.',
  'job.storage-failed':
    'The files of the job could not be written. Check space and permissions of the storage folder, then retry.',
  'job.certificate-invalid':
    'The certificate of the profile is not valid for signing now: expired, revoked or not trusted. Its files wait; test it on the profile’s page.',
  'upload.disabled': 'Uploads are switched off in the configuration of this service.',
  'upload.empty': 'The file is empty.',
  'upload.too-large': 'The file is larger than uploads may be. Put it into a watched folder instead.',
  'upload.invalid-name': 'The file has no usable name.',
  'upload.format-unsupported': 'The signature format is not one of PAdES, CAdES, XAdES.',
  'upload.extension-unsupported': 'Files with this extension are not accepted.',
  'validation.reason-too-long': 'The reason has more than 512 characters.',
  'validation.filter-invalid': 'A filter in the address is not acceptable. Clear the filters and choose again.',
  'auth.misconfigured': 'The service has no API key configured, so nobody can sign in. Set Auth:ApiKey.',
  'auth.invalid-credentials': 'The session has ended. Sign in again.',
  'folder.not-found': 'No input folder of this name is configured.',
  'folder.invalid': 'The folder cannot be saved like this.',
  'session.not-found': 'The session has ended already.',
  'folder.already-exists': 'An input folder of this name exists.',
  'folder.changed-meanwhile': 'Somebody else changed this folder while you were editing it.',
  'folder.in-settings': 'This folder stands in the settings file of the service and is changed there.',
  'profile.not-found': 'There is no signing profile of this name.',
  'profile.disabled': 'The signing profile is disabled and takes no new work. Enable it on its page.',
  'profile.takes-no-files': 'This signing profile takes no files.',
  'profile.degraded':
    'The signing profile cannot sign: its certificate or its secrets could not be opened. Its page names the reason.',
  'profile.key-unavailable':
    'The file was approved for the key of the profile, whose approvers now sign in its place. Give the rule the key back, then retry.',
  'folder.input-unavailable': 'The input folder cannot be used now. Its files wait until it is back.',
  'folder.output-unavailable':
    'The output folder cannot be used now, or is full. The files wait and are signed when it takes them again.',
  'profile.timestamp-unavailable':
    'The timestamp authority of the profile gives no timestamp. Its files wait and are signed when it answers again.',
  'profile.invalid': 'The profile cannot be saved like this. The fields below say why.',
  'profile.already-exists': 'A profile of this name exists already.',
  'profile.changed-meanwhile': 'Somebody else saved this profile while you were editing it.',
  'pipeline.race-lost': 'Somebody else paused or resumed at the same moment. Look at the state before trying again.',
  'backup.disabled': 'Backups are switched off, or the database is backed up by tools of its own.',
  'backup.already-running': 'A backup is already running.',
  'backup.not-running': 'No backup is running.',
  'branding.customer-logo-not-available': 'No customer logo is configured.',
  'culture.not-supported': 'The service speaks en-US and pt-BR only.',
  'approval.not-required': 'This job never waited for approval.',
  'approval.not-pending': 'The job accepts no such decision now: it does not wait for approval any more.',
  'approval.unknown-approver': 'This address is not one of the approvers of the file.',
  'approval.already-decided': 'This approver has decided about the file already. Decisions are final.',
  'approval.unknown-decision': 'A decision is approved or rejected.',
  'approval.signature-required': 'This file is approved by signing it. Open it in the portal of approvers.',
  'approval.job-incomplete':
    'The rule or the content of this file is not known any more. Cancel the job and hand the file in again.',
  'approval.rejected': 'An approver rejected the file before it was signed. Hand in a corrected file.',
  'approval.content-changed':
    'The copy that was approved is not what lies there now, so nothing was signed. Find out who writes to the storage folder, then hand the file in again.',
  'approval.content-unmeasured':
    'It is not known which content was approved, so nothing was signed. Hand the file in again.',
  'approval.signer-set-unsupported':
    'The signatures of approvers that the rule asked for cannot be made: approvers sign in CAdES, and the profile needs its key where it signs too. Correct the profile and hand the file in again.',
  'approval.signatures-missing':
    'Signatures of approvers are missing, so nothing was signed. Hand the file in again; approvers sign it once more.',
  'approval.certificate-invalid': 'This certificate cannot be used to approve. Choose another one.',
  'approval.certificate-without-cpf': 'This certificate names no CPF. Choose your e-CPF, or the e-CNPJ you answer for.',
  'approval.certificate-cpf-mismatch': 'This certificate is not yours: its CPF is another one. Choose your own.',
  'approval.signature-invalid': 'The signature does not check, so the file was not approved. Sign again.',
  'approval.signature-conflict': 'Somebody else signed the file meanwhile. Sign again.',
  'approval.second-factor-required': 'Give a code of your authenticator app before you decide.',
  'approval.second-factor-invalid-code': 'The code is wrong, or was used before. Wait for the next one.',
  'approval.second-factor-locked-out': 'Too many wrong codes in a row. Try again in five minutes.',
  'approval.second-factor-not-enrolled': 'No authenticator app is enrolled for this approver.',
  'approval.second-factor-already-enrolled':
    'An authenticator app is enrolled already. An operator can reset it if it was lost.',
  'approval.second-factor-enrolment-expired': 'The enrolment took too long. Begin it anew.',
  'approval.signing-not-found': 'What was begun is not known here any more. Begin it anew.',
  'approval.cloud-unavailable': 'Cloud certificates cannot be used now. Sign in another way, or try again later.',
  'approval.tokens-unavailable': 'Tokens cannot be used now. Sign in another way, or try again later.',
  'cnab240.invalid':
    'The file is not a compliant CNAB240 remittance. The history lists what is wrong, record by record; have it generated anew.',
  'cnab240.payment-date-passed':
    'The earliest payment date of the remittance has passed, so it was not signed. Have it generated with new dates.',
  'rate-limited': 'Too many requests from this address. Wait a moment and try again.',
  'request.invalid': 'The service could not accept the request.',
  'request.too-large': 'The request is larger than the service takes.',
  'request.unknown-route': 'The service does not know this address. Are the pages and the service of the same version?',
  'service.busy': 'The service is too busy. Try again in a moment.',
  internal: 'Something went wrong inside the service. The log has the details under the request below.',
} as const

/** What each code means and what to do about it, for operators. */
export const codeTexts: Catalogue<typeof english> = {
  'en-US': english,
  'pt-BR': {
    'job.not-found': 'Este job não existe. Pode ter sido excluído, pela retenção ou por um operador.',
    'job.not-queued': 'O job já saiu da fila e não pode ser cancelado. Aguarde o término.',
    'job.race-lost':
      'O processamento pegou o job um instante antes. Veja o status e tente de novo se ainda fizer sentido.',
    'job.not-failed': 'Só um job com falha pode ser reprocessado.',
    'job.rejected-not-retriable':
      'Um aprovador rejeitou este arquivo. Não é possível reprocessar; envie um arquivo corrigido.',
    'job.input-missing': 'O arquivo de entrada não está mais lá. Recoloque-o na pasta ou envie-o novamente.',
    'job.output-unavailable': 'Não há saída para baixar: o job não foi concluído.',
    'job.output-gone':
      'O arquivo não está mais na pasta de saída. Alguém o moveu, ou a regra de nomes do perfil mudou.',
    'job.archive-empty': 'Escolha ao menos um job concluído.',
    'job.archive-too-large': 'Um ZIP leva no máximo 50 jobs. Escolha menos.',
    'job.already-processing': 'Outro job está trabalhando neste mesmo arquivo. Aguarde o término.',
    'file.already-processed':
      'Um arquivo com este nome já foi ou está sendo assinado. Renomeie o arquivo ou exclua o job que detém o nome.',
    'job.path-too-long': 'O caminho do arquivo tem mais de 850 caracteres. Encurte o nome ou a pasta.',
    'job.in-flight': 'O job está sendo assinado agora. Aguarde o término.',
    'job.input-held': 'Outro programa mantinha o arquivo aberto; nada foi assinado. Feche-o e reprocesse.',
    'job.input-diverged':
      'O arquivo foi regravado durante a assinatura. O que foi copiado está assinado; o arquivo novo ficou no lugar.',
    'job.input-unstable':
      'O arquivo não parou de mudar durante a leitura; nada foi assinado. Reprocesse quando estiver completo.',
    'job.interrupted': 'O serviço parou enquanto trabalhava no job. A entrada está intacta: reprocesse.',
    'job.signing-failed':
      'Não foi possível assinar. A mensagem e o histórico dizem em que ponto; reprocesse depois de resolver a causa.',
    'job.verification-failed':
      'A assinatura feita não passou na verificação e não foi entregue. Confira o certificado e a cadeia antes de reprocessar.',
    'job.encryption-failed': 'Não foi possível cifrar a saída. Confira os certificados de cifragem do perfil.',
    'job.output-exists':
      'Já há um arquivo com esse nome na pasta de saída, e ele nunca é sobrescrito. Mova-o e reprocesse.',
    'job.storage-failed':
      'Não foi possível gravar os arquivos do job. Confira espaço e permissões da pasta de armazenamento e reprocesse.',
    'job.certificate-invalid':
      'O certificado do perfil não vale para assinar agora: expirado, revogado ou não confiável. Teste-o na página do perfil.',
    'upload.disabled': 'O envio de arquivos está desligado na configuração deste serviço.',
    'upload.empty': 'O arquivo está vazio.',
    'upload.too-large': 'O arquivo passa do tamanho aceito para envio. Coloque-o em uma pasta monitorada.',
    'upload.invalid-name': 'O arquivo não tem um nome utilizável.',
    'upload.format-unsupported': 'O formato de assinatura não é PAdES, CAdES nem XAdES.',
    'upload.extension-unsupported': 'Arquivos com esta extensão não são aceitos.',
    'validation.reason-too-long': 'O motivo tem mais de 512 caracteres.',
    'validation.filter-invalid': 'Um filtro do endereço não é aceito. Limpe os filtros e escolha de novo.',
    'auth.misconfigured': 'O serviço não tem chave de API configurada; ninguém consegue entrar. Defina Auth:ApiKey.',
    'auth.invalid-credentials': 'A sessão terminou. Entre novamente.',
    'folder.not-found': 'Não há pasta de entrada com este nome.',
    'folder.invalid': 'A pasta não pode ser salva assim.',
    'session.not-found': 'A sessão já terminou.',
    'folder.already-exists': 'Já existe uma pasta de entrada com este nome.',
    'folder.changed-meanwhile': 'Outra pessoa alterou esta pasta enquanto você a editava.',
    'folder.in-settings': 'Esta pasta está no arquivo de configuração do serviço e é alterada lá.',
    'profile.not-found': 'Não há perfil de assinatura com este nome.',
    'profile.disabled': 'O perfil está desativado e não recebe trabalho novo. Ative-o na página dele.',
    'profile.takes-no-files': 'Este perfil não recebe arquivos.',
    'profile.degraded':
      'O perfil não consegue assinar: o certificado ou os segredos não puderam ser abertos. A página dele diz o motivo.',
    'profile.key-unavailable':
      'O arquivo foi aprovado para a chave do perfil, cujos aprovadores agora assinam no lugar dela. Devolva a chave à regra e reprocesse.',
    'folder.input-unavailable': 'A pasta de entrada não pode ser usada agora. Os arquivos aguardam até ela voltar.',
    'folder.output-unavailable':
      'A pasta de saída não pode ser usada agora, ou está cheia. Os arquivos aguardam e são assinados quando ela os receber de novo.',
    'profile.timestamp-unavailable':
      'A autoridade de carimbo do tempo do perfil não fornece carimbos. Os arquivos aguardam e são assinados quando ela voltar a responder.',
    'profile.invalid': 'O perfil não pode ser salvo assim. Os campos abaixo dizem por quê.',
    'profile.already-exists': 'Já existe um perfil com este nome.',
    'profile.changed-meanwhile': 'Outra pessoa salvou este perfil enquanto você o editava.',
    'pipeline.race-lost': 'Outra pessoa pausou ou retomou no mesmo instante. Veja o estado antes de tentar de novo.',
    'backup.disabled': 'O backup está desligado, ou o banco de dados tem ferramentas próprias para isso.',
    'backup.already-running': 'Já há um backup em andamento.',
    'backup.not-running': 'Não há backup em andamento.',
    'branding.customer-logo-not-available': 'Nenhum logotipo de cliente está configurado.',
    'culture.not-supported': 'O serviço fala somente en-US e pt-BR.',
    'approval.not-required': 'Este job nunca aguardou aprovação.',
    'approval.not-pending': 'O job não aceita essa decisão agora: ele não aguarda mais aprovação.',
    'approval.unknown-approver': 'Este endereço não é de um dos aprovadores do arquivo.',
    'approval.already-decided': 'Este aprovador já decidiu sobre o arquivo. Decisões são definitivas.',
    'approval.unknown-decision': 'Uma decisão é de aprovar ou de rejeitar.',
    'approval.signature-required': 'Este arquivo é aprovado com assinatura. Abra-o no portal dos aprovadores.',
    'approval.job-incomplete':
      'A regra ou o conteúdo deste arquivo não é mais conhecido. Cancele o job e entregue o arquivo de novo.',
    'approval.rejected': 'Um aprovador rejeitou o arquivo antes da assinatura. Entregue um arquivo corrigido.',
    'approval.content-changed':
      'A cópia aprovada não é a que está lá agora, e nada foi assinado. Descubra quem grava na pasta de armazenamento e entregue o arquivo de novo.',
    'approval.content-unmeasured':
      'Não se sabe qual conteúdo foi aprovado, e nada foi assinado. Entregue o arquivo de novo.',
    'approval.signer-set-unsupported':
      'As assinaturas de aprovadores que a regra pede não podem ser feitas: aprovadores assinam em CAdES, e o perfil precisa da chave onde também assina. Corrija o perfil e entregue o arquivo de novo.',
    'approval.signatures-missing':
      'Faltam assinaturas de aprovadores, e nada foi assinado. Entregue o arquivo de novo; os aprovadores assinam mais uma vez.',
    'approval.certificate-invalid': 'Este certificado não pode ser usado para aprovar. Escolha outro.',
    'approval.certificate-without-cpf':
      'Este certificado não traz CPF. Escolha o seu e-CPF, ou o e-CNPJ pelo qual você responde.',
    'approval.certificate-cpf-mismatch': 'Este certificado não é seu: o CPF dele é outro. Escolha o seu.',
    'approval.signature-invalid': 'A assinatura não confere, e o arquivo não foi aprovado. Assine de novo.',
    'approval.signature-conflict': 'Outra pessoa assinou o arquivo enquanto isso. Assine de novo.',
    'approval.second-factor-required': 'Informe um código do aplicativo autenticador antes de decidir.',
    'approval.second-factor-invalid-code': 'O código está errado ou já foi usado. Aguarde o próximo.',
    'approval.second-factor-locked-out': 'Códigos errados demais em seguida. Tente de novo em cinco minutos.',
    'approval.second-factor-not-enrolled': 'Este aprovador não tem aplicativo autenticador cadastrado.',
    'approval.second-factor-already-enrolled':
      'Já há um aplicativo autenticador cadastrado. Um operador pode redefini-lo se ele foi perdido.',
    'approval.second-factor-enrolment-expired': 'O cadastro demorou demais. Comece de novo.',
    'approval.signing-not-found': 'O que foi iniciado não é mais conhecido aqui. Comece de novo.',
    'approval.cloud-unavailable':
      'Não é possível usar certificados em nuvem agora. Assine de outro modo, ou tente mais tarde.',
    'approval.tokens-unavailable': 'Não é possível usar tokens agora. Assine de outro modo, ou tente mais tarde.',
    'cnab240.invalid':
      'O arquivo não é uma remessa CNAB240 válida. O histórico lista o que está errado, registro a registro; gere-o de novo.',
    'cnab240.payment-date-passed':
      'A data de pagamento mais próxima da remessa já passou; por isso não foi assinada. Gere-a com novas datas.',
    'rate-limited': 'Muitas requisições deste endereço. Aguarde um momento e tente de novo.',
    'request.invalid': 'O serviço não pôde aceitar a requisição.',
    'request.too-large': 'A requisição é maior do que o serviço aceita.',
    'request.unknown-route': 'O serviço não conhece este endereço. As páginas e o serviço são da mesma versão?',
    'service.busy': 'O serviço está ocupado demais. Tente de novo em instantes.',
    internal: 'Algo deu errado dentro do serviço. O log tem os detalhes sob a requisição abaixo.',
  },
}
