// A real SMTP server with an inbox to look into, and faults on request.
//
//   const smtp = await startSmtpServer()
//   …send to 127.0.0.1:smtp.port…
//   smtp.inbox[0].subject
//   smtp.behave({ kind: 'refuses', at: 'recipient', code: 550 })
export type { ReceivedMail } from './received-mail.ts'
export { type RunningSmtpServer, type SmtpBehaviour, type SmtpServerOptions, startSmtpServer } from './smtp-server.ts'
