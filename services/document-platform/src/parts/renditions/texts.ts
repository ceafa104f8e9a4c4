import { createCatalogue, type Language, type Translate } from '@chancela/service-kernel/i18n'
import type { RenditionLanguage } from './rendition-info.ts'

const catalogued = ['pt-BR', 'en-US', 'es'] as const

const texts = {
  'mark.certificate': {
    'pt-BR': 'Assinado digitalmente por',
    'en-US': 'Digitally signed by',
    es: 'Firmado digitalmente por',
  },
  'mark.electronic': {
    'pt-BR': 'Assinado eletronicamente por',
    'en-US': 'Electronically signed by',
    es: 'Firmado electrónicamente por',
  },
  'mark.cpf': { 'pt-BR': 'CPF: {{cpf}}', 'en-US': 'CPF: {{cpf}}', es: 'CPF: {{cpf}}' },
  'mark.date': { 'pt-BR': 'Data: {{date}}', 'en-US': 'Date: {{date}}', es: 'Fecha: {{date}}' },
  'manifest.title': {
    'pt-BR': 'Manifesto de assinaturas',
    'en-US': 'Signatures manifest',
    es: 'Manifiesto de firmas',
  },
  'manifest.document': { 'pt-BR': 'Documento', 'en-US': 'Document', es: 'Documento' },
  'manifest.key': { 'pt-BR': 'Chave de verificação', 'en-US': 'Verification key', es: 'Clave de verificación' },
  'manifest.status': { 'pt-BR': 'Situação', 'en-US': 'Status', es: 'Estado' },
  'manifest.organization': { 'pt-BR': 'Organização', 'en-US': 'Organization', es: 'Organización' },
  'manifest.created': { 'pt-BR': 'Criado em', 'en-US': 'Created at', es: 'Creado el' },
  'manifest.created-by': { 'pt-BR': 'Criado por', 'en-US': 'Created by', es: 'Creado por' },
  'manifest.concluded': { 'pt-BR': 'Concluído em', 'en-US': 'Concluded at', es: 'Concluido el' },
  'manifest.expires': { 'pt-BR': 'Expira em', 'en-US': 'Expires at', es: 'Vence el' },
  'manifest.digest': {
    'pt-BR': 'SHA-256 do original',
    'en-US': 'SHA-256 of the original',
    es: 'SHA-256 del original',
  },
  'manifest.participants': { 'pt-BR': 'Participantes', 'en-US': 'Participants', es: 'Participantes' },
  'manifest.history': { 'pt-BR': 'Histórico', 'en-US': 'History', es: 'Historial' },
  'manifest.verify': {
    'pt-BR': 'Para verificar as assinaturas, aponte a câmera para o código ou acesse {{url}}',
    'en-US': 'To verify the signatures, point a camera at the code or visit {{url}}',
    es: 'Para verificar las firmas, apunte la cámara al código o visite {{url}}',
  },
  'manifest.generated': { 'pt-BR': 'Gerado em {{date}}', 'en-US': 'Generated at {{date}}', es: 'Generado el {{date}}' },
  'page.number': {
    'pt-BR': 'Página {{page}} de {{pages}}',
    'en-US': 'Page {{page}} of {{pages}}',
    es: 'Página {{page}} de {{pages}}',
  },
  'page.note': {
    'pt-BR': 'Versão para impressão. As assinaturas são verificadas em {{url}}',
    'en-US': 'Printable version. The signatures are verified at {{url}}',
    es: 'Versión para impresión. Las firmas se verifican en {{url}}',
  },
  'page.key': { 'pt-BR': 'Chave: {{key}}', 'en-US': 'Key: {{key}}', es: 'Clave: {{key}}' },
  'stamp.title': {
    'pt-BR': 'Verificação de autenticidade',
    'en-US': 'Proof of authenticity',
    es: 'Verificación de autenticidad',
  },
  'stamp.key': {
    'pt-BR': 'Código de verificação: {{key}}',
    'en-US': 'Verification code: {{key}}',
    es: 'Código de verificación: {{key}}',
  },
  'stamp.verify': {
    'pt-BR': 'As assinaturas deste documento são verificadas em {{url}}',
    'en-US': 'The signatures of this document are verified at {{url}}',
    es: 'Las firmas de este documento se verifican en {{url}}',
  },
  'sheet.title': { 'pt-BR': 'Folha de assinaturas', 'en-US': 'Signature sheet', es: 'Hoja de firmas' },
  'status.Pending': { 'pt-BR': 'Pendente', 'en-US': 'Pending', es: 'Pendiente' },
  'status.FlowConcluded': { 'pt-BR': 'Em conclusão', 'en-US': 'Being concluded', es: 'En conclusión' },
  'status.Concluded': { 'pt-BR': 'Concluído', 'en-US': 'Concluded', es: 'Concluido' },
  'status.Refused': { 'pt-BR': 'Recusado', 'en-US': 'Refused', es: 'Rechazado' },
  'status.Canceled': { 'pt-BR': 'Cancelado', 'en-US': 'Canceled', es: 'Cancelado' },
  'status.Expired': { 'pt-BR': 'Expirado', 'en-US': 'Expired', es: 'Vencido' },
  'role.Signer': { 'pt-BR': 'Signatário', 'en-US': 'Signer', es: 'Firmante' },
  'role.Approver': { 'pt-BR': 'Aprovador', 'en-US': 'Approver', es: 'Aprobador' },
  'action.Signer.Created': { 'pt-BR': 'Aguardando a vez', 'en-US': 'Waiting for their turn', es: 'Esperando su turno' },
  'action.Signer.Pending': { 'pt-BR': 'Pendente', 'en-US': 'Pending', es: 'Pendiente' },
  'action.Signer.Completed': { 'pt-BR': 'Assinado', 'en-US': 'Signed', es: 'Firmado' },
  'action.Signer.Refused': { 'pt-BR': 'Recusado', 'en-US': 'Refused', es: 'Rechazado' },
  'action.Approver.Created': {
    'pt-BR': 'Aguardando a vez',
    'en-US': 'Waiting for their turn',
    es: 'Esperando su turno',
  },
  'action.Approver.Pending': { 'pt-BR': 'Pendente', 'en-US': 'Pending', es: 'Pendiente' },
  'action.Approver.Completed': { 'pt-BR': 'Aprovado', 'en-US': 'Approved', es: 'Aprobado' },
  'action.Approver.Refused': { 'pt-BR': 'Recusado', 'en-US': 'Refused', es: 'Rechazado' },
  'how.certificate': {
    'pt-BR': 'Com certificado digital emitido por {{issuer}}',
    'en-US': 'With a digital certificate issued by {{issuer}}',
    es: 'Con certificado digital emitido por {{issuer}}',
  },
  'how.serial': {
    'pt-BR': 'Número de série {{serial}}',
    'en-US': 'Serial number {{serial}}',
    es: 'Número de serie {{serial}}',
  },
  'how.electronic.EmailCode': {
    'pt-BR': 'Eletronicamente, com código enviado por e-mail',
    'en-US': 'Electronically, with a code sent by e-mail',
    es: 'Electrónicamente, con código enviado por correo electrónico',
  },
  'how.electronic.SmsCode': {
    'pt-BR': 'Eletronicamente, com código enviado por SMS',
    'en-US': 'Electronically, with a code sent by SMS',
    es: 'Electrónicamente, con código enviado por SMS',
  },
  'how.electronic.AuthenticatorApp': {
    'pt-BR': 'Eletronicamente, com código de aplicativo autenticador',
    'en-US': 'Electronically, with a code of an authenticator app',
    es: 'Electrónicamente, con código de aplicación de autenticación',
  },
  'how.electronic.Ticket': {
    'pt-BR': 'Eletronicamente, pelo endereço pessoal de acesso',
    'en-US': 'Electronically, through the personal link',
    es: 'Electrónicamente, por el enlace personal de acceso',
  },
  'how.address': { 'pt-BR': 'IP {{address}}', 'en-US': 'IP {{address}}', es: 'IP {{address}}' },
  'how.reason': { 'pt-BR': 'Motivo: {{reason}}', 'en-US': 'Reason: {{reason}}', es: 'Motivo: {{reason}}' },
  'event.Created': { 'pt-BR': 'Documento criado', 'en-US': 'Document created', es: 'Documento creado' },
  'event.Signed': { 'pt-BR': 'Assinado', 'en-US': 'Signed', es: 'Firmado' },
  'event.Approved': { 'pt-BR': 'Aprovado', 'en-US': 'Approved', es: 'Aprobado' },
  'event.Refused': { 'pt-BR': 'Recusado', 'en-US': 'Refused', es: 'Rechazado' },
  'event.Canceled': { 'pt-BR': 'Documento cancelado', 'en-US': 'Document canceled', es: 'Documento cancelado' },
  'event.Expired': { 'pt-BR': 'Documento expirado', 'en-US': 'Document expired', es: 'Documento vencido' },
  'event.Concluded': { 'pt-BR': 'Documento concluído', 'en-US': 'Document concluded', es: 'Documento concluido' },
  'event.VersionAdded': { 'pt-BR': 'Nova versão enviada', 'en-US': 'New version added', es: 'Nueva versión enviada' },
  'event.FlowEdited': { 'pt-BR': 'Fluxo alterado', 'en-US': 'Flow edited', es: 'Flujo modificado' },
} as const

const languages: Readonly<Record<RenditionLanguage, Language>> = { pt: 'pt-BR', en: 'en-US', es: 'es' }

const catalogue = createCatalogue(catalogued, texts)

/** Says the texts of renditions in one language. */
export type Say = Translate<typeof texts>

export const sayIn = (language: RenditionLanguage): Say => catalogue.translator(languages[language])
