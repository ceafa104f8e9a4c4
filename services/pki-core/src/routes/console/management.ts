import { serve } from '@chancela/service-kernel/http'
import { byAdministrator, type Management } from '../../actions/management/acting.ts'
import * as keys from '../../actions/management/application-keys.ts'
import * as applications from '../../actions/management/applications.ts'
import { consoleListed, consoleOne } from '../../actions/management/console-applications.ts'
import * as contexts from '../../actions/management/security-contexts.ts'
import * as subscriptions from '../../actions/management/subscriptions.ts'
import * as contract from '../../contract/console-management.ts'
import type { ConsoleApp } from './console-app.ts'

/** Subscriptions at the admin page. */
export function serveSubscriptions(app: ConsoleApp, management: Management): void {
  serve(app, contract.consoleSubscriptions, ({ query }) => subscriptions.listedSubscriptions(management, query))
  serve(app, contract.consoleNewSubscription, ({ caller, body, now }) =>
    subscriptions.createSubscription(management, byAdministrator(caller), body.name, now),
  )
  serve(app, contract.consoleChangeSubscription, ({ caller, params, body, now }) =>
    subscriptions.changeOne(management, byAdministrator(caller), params.id, body, now),
  )
}

/** Applications of every subscription. */
export function serveApplications(app: ConsoleApp, management: Management): void {
  serve(app, contract.consoleApplications, ({ query }) => consoleListed(management, query))
  serve(app, contract.consoleReadApplication, ({ params }) => consoleOne(management, params.id))
  serve(
    app,
    contract.consoleNewApplication,
    async ({ caller, body: { subscriptionId, name, roles, rootRoles }, now }) => {
      const { id } = await subscriptions.readOne(management, subscriptionId)
      const data = { name, authorizationData: { roles }, rootAuthorizationData: { roles: rootRoles } }
      return applications.createIn(management, byAdministrator(caller), id, data, now)
    },
  )
  serve(app, contract.consoleSwitchApplication, ({ caller, params, body, now }) =>
    applications.switchApplication(management, byAdministrator(caller), params.id, body.disabled, now),
  )
  serve(app, contract.consoleChangeRoles, async ({ caller, params, body }) => {
    const { id } = await subscriptions.readOne(management, params.subscriptionId)
    await applications.changeRoles(management, byAdministrator(caller), id, params.id, body.roles)
  })
  serve(app, contract.consoleChangeRootRoles, async ({ caller, params, body }) => {
    await applications.changeRootRoles(management, byAdministrator(caller), params.id, body)
  })
  serve(app, contract.consoleDeleteApplication, ({ caller, params, now }) =>
    applications.deleteApplication(management, byAdministrator(caller), undefined, params.id, now),
  )
  serve(app, contract.consoleKeys, ({ params }) => keys.listedKeys(management, undefined, params.id))
  serve(app, contract.consoleNewKey, ({ caller, params, body, now }) =>
    keys.newKey(management, byAdministrator(caller), undefined, params.id, body, now),
  )
  serve(app, contract.consoleRevokeKey, ({ caller, params, now }) =>
    keys.endKey(management, byAdministrator(caller), undefined, params, now),
  )
}

/** Security contexts of a subscription. */
export function serveSecurityContexts(app: ConsoleApp, management: Management): void {
  const known = async (subscriptionId: string) => (await subscriptions.readOne(management, subscriptionId)).id
  serve(app, contract.consoleContexts, async ({ params }) =>
    contexts.listedContexts(management, await known(params.subscriptionId)),
  )
  serve(app, contract.consoleNewContext, async ({ caller, params, body, now }) =>
    contexts.createContext(management, byAdministrator(caller), await known(params.subscriptionId), body, now),
  )
  serve(app, contract.consoleDefaultContext, async ({ caller, params, body }) =>
    contexts.chooseDefault(management, byAdministrator(caller), await known(params.subscriptionId), body.id),
  )
  serve(app, contract.consoleChangeContext, async ({ caller, params, body, now }) =>
    contexts.changeContext(
      management,
      byAdministrator(caller),
      await known(params.subscriptionId),
      params.id,
      body,
      now,
    ),
  )
  serve(app, contract.consoleDeleteContext, async ({ caller, params }) =>
    contexts.removeContext(management, byAdministrator(caller), await known(params.subscriptionId), params.id),
  )
}
