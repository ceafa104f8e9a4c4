export { CloudHub } from './cloud-hub.ts'
export { LinkProblem } from './service-link.ts'
export { type Approval, SessionServer } from './session-server.ts'
