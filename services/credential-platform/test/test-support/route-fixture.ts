// What routes act on, and bodies that they take.
import { instituteOf, type Organization } from './credential-world.ts'
import { sampleCourse, sampleFlow, sampleInstitute, sampleTemplate } from './samples.ts'

/** Names of parameters do not matter. */
export const plainRoute = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}')

/** One of everything that routes act on. */
export async function fixture(organization: Organization) {
  const { json, subscriptionId } = organization
  const institute = (await instituteOf(organization)).id
  const id = async (path: string, body: object): Promise<string> => (await json('POST', path, body)).body.id
  const email = `${crypto.randomUUID()}@example.com`
  const application = await id('/api/applications', { name: crypto.randomUUID(), role: 'Gerente' })
  const { body } = await json('POST', `/api/applications/${application}/keys`, { description: 'x' })
  return {
    subscription: subscriptionId,
    institute,
    user: await id('/api/users', { name: 'Bruno', email, role: 'Gerente' }),
    application,
    key: body.info.id as string,
    partnership: await id('/api/partnerships', {
      issuerInstituteId: institute,
      registrarInstituteId: (await instituteOf(organization)).id,
    }),
    course: await id('/api/courses', sampleCourse(institute)),
    flow: await id('/api/flows', sampleFlow()),
    template: await id('/api/templates', sampleTemplate()),
  }
}

export type Made = Awaited<ReturnType<typeof fixture>>

/** A body that each route takes. */
export const bodies = (things: Made): Readonly<Record<string, object>> => ({
  'POST /api/subscriptions': { name: crypto.randomUUID() },
  'PUT /api/subscriptions/{subscription}': { disabled: false },
  'PUT /api/subscriptions/{subscription}/webhook': { enabled: false },
  'POST /api/subscriptions/{subscription}/webhook/test': {},
  'POST /api/institutes/{institute}/integrations': { enabled: false },
  'POST /api/webhooks/resend': { kind: 'Degree', ids: ['x'] },
  'POST /api/users': { name: 'Carla', email: `${crypto.randomUUID()}@example.com`, role: 'Gerente' },
  'PUT /api/users/{user}': { name: 'Bruna' },
  'POST /api/applications': { name: crypto.randomUUID(), role: 'Gerente' },
  'PUT /api/applications/{application}': { role: 'Gerente' },
  'POST /api/applications/{application}/keys': { description: 'y' },
  'POST /api/institutes': sampleInstitute(),
  'PUT /api/institutes/{institute}': sampleInstitute(),
  'POST /api/partnerships': { issuerInstituteId: things.institute, registrarInstituteId: things.institute },
  'POST /api/courses': sampleCourse(things.institute),
  'PUT /api/courses/{course}': sampleCourse(things.institute),
  'POST /api/flows': sampleFlow(),
  'PUT /api/flows/{flow}': sampleFlow(),
  'POST /api/templates': sampleTemplate(),
  'PUT /api/templates/{template}': sampleTemplate(),
})

/** The path of a route whose parameters are named after what they stand for. */
export const pathOf = (template: string, things: Made): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: keyof Made) => things[name])
