// Courses, signing flows and templates: a list, one to change, a new one.
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { BookOpen, LayoutTemplate, Plus, Route } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../shared/format/use-formats.ts'
import type { Column } from '../../shared/parts/data-table.tsx'
import { LinkButton } from '../../shared/parts/link-button.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import type { Course, Flow, Template } from '../api/types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { DeleteButton } from '../parts/delete-button.tsx'
import { InstituteFilter, useInstituteName } from '../parts/institute-select.tsx'
import { ListView } from '../parts/list-view.tsx'
import { PageOfItem } from '../parts/page-of-item.tsx'
import { useRights } from '../parts/rights.ts'
import { courseDraftOf, newCourse } from './course-draft.ts'
import { CourseForm } from './course-form.tsx'
import { flowDraftOf, newFlow } from './flow-draft.ts'
import { FlowForm } from './flow-form.tsx'
import { newTemplate, templateDraftOf } from './template-draft.ts'
import { TemplateForm } from './template-form.tsx'

type Resource = 'courses' | 'flows' | 'templates'

const icons = { courses: BookOpen, flows: Route, templates: LayoutTemplate } as const

/** Flows decide who signs: an Administrador alone changes them. */
function useManages(resource: Resource): boolean {
  const { may } = useRights()
  return resource !== 'flows' || may('flows.manage')
}

interface SetupListProps<Item> {
  resource: Resource
  /** Columns between the name and the institution. */
  columns: readonly Column<Item>[]
}

type Named = {
  readonly id: string
  readonly name: string
  readonly instituteId: string | null
  readonly updateDate: string
}

function SetupList<Item extends Named>({ resource, columns }: SetupListProps<Item>) {
  const { t } = useTranslation(['credentials-setup', 'credentials'])
  const { dateAndMinute } = useFormats()
  const instituteName = useInstituteName()
  const manages = useManages(resource)
  const add = manages && (
    <LinkButton to={`/${resource}/new`} leftSection={<Plus size={16} aria-hidden="true" />}>
      {t(`${resource}.new`)}
    </LinkButton>
  )
  const all: readonly Column<Item>[] = [
    {
      key: 'name',
      title: t('name'),
      isHeader: true,
      cell: ({ id, name }) => (
        <Link to={`/${resource}/$id`} params={{ id }}>
          {name}
        </Link>
      ),
    },
    ...columns,
    {
      key: 'institute',
      title: t('credentials:institute'),
      cell: ({ instituteId }) => (instituteId === null ? t('credentials:anyInstitute') : instituteName(instituteId)),
    },
    { key: 'updated', title: t('credentials:updated'), cell: ({ updateDate }) => dateAndMinute(updateDate) },
  ]
  return (
    <>
      <PageHead title={t(`${resource}.title`)} lead={t(`${resource}.lead`)}>
        {add}
      </PageHead>
      <ListView
        resource={resource}
        caption={t(`${resource}.title`)}
        columns={all}
        filters={<InstituteFilter />}
        empty={{ icon: icons[resource], title: t(`${resource}.empty`), text: t(`${resource}.emptyText`), action: add }}
      />
    </>
  )
}

export function CoursesPage() {
  const { t } = useTranslation('credentials-setup')
  const columns: readonly Column<Course>[] = [
    { key: 'code', title: t('courses.code'), cell: ({ emecCode }) => emecCode ?? t('courses.underWay') },
    { key: 'level', title: t('courses.level'), cell: ({ data }) => data.grauConferido ?? '–' },
  ]
  return <SetupList<Course> resource="courses" columns={columns} />
}

export function FlowsPage() {
  const { t } = useTranslation('credentials-setup')
  const columns: readonly Column<Flow>[] = [
    {
      key: 'document',
      title: t('flows.documentTitle'),
      cell: ({ documentKind }) => t(`flows.document.${documentKind}`),
    },
    { key: 'steps', title: t('flows.steps'), numeric: true, cell: ({ steps }) => steps.length },
  ]
  return <SetupList<Flow> resource="flows" columns={columns} />
}

export function TemplatesPage() {
  const { t } = useTranslation('credentials-setup')
  const columns: readonly Column<Template>[] = [
    { key: 'kind', title: t('templates.kindTitle'), cell: ({ kind }) => t(`templates.kind.${kind}`) },
  ]
  return <SetupList<Template> resource="templates" columns={columns} />
}

/** Where somebody comes from, and what is typed there. */
function NewPage({ resource, children }: { resource: Resource; children: ReactNode }) {
  const { t } = useTranslation('credentials-setup')
  return (
    <>
      <PageHead
        title={t(`${resource}.new`)}
        above={<BackLink to={`/${resource}`}>{t(`${resource}.title`)}</BackLink>}
      />
      {children}
    </>
  )
}

/** Leads to what was made. */
function useOpened(resource: Resource): (item: { readonly id: string }) => void {
  const navigate = useNavigate()
  return ({ id }) => void navigate({ to: `/${resource}/$id`, params: { id } })
}

export function NewCoursePage() {
  return (
    <NewPage resource="courses">
      <CourseForm draft={newCourse} onSaved={useOpened('courses')} />
    </NewPage>
  )
}

export function NewFlowPage() {
  return (
    <NewPage resource="flows">
      <FlowForm draft={newFlow} onSaved={useOpened('flows')} />
    </NewPage>
  )
}

export function NewTemplatePage() {
  return (
    <NewPage resource="templates">
      <TemplateForm draft={newTemplate} onSaved={useOpened('templates')} />
    </NewPage>
  )
}

interface OnePageProps<Item> {
  resource: Resource
  children: (item: Item, manages: boolean) => ReactNode
}

function OnePage<Item extends Named>({ resource, children }: OnePageProps<Item>) {
  const { t } = useTranslation(['credentials-setup', 'credentials'])
  const { id = '' } = useParams({ strict: false })
  const manages = useManages(resource)
  const back = <BackLink to={`/${resource}`}>{t(`${resource}.title`)}</BackLink>
  return (
    <PageOfItem<Item> resource={resource} id={id} title={t(`${resource}.title`)} back={back}>
      {(item) => (
        <>
          <PageHead title={item.name} above={back} lead={!manages && t('credentials:restricted')}>
            {manages && (
              <DeleteButton
                resource={resource}
                id={id}
                title={t('delete.title', { name: item.name })}
                text={t('delete.text')}
                done={t('delete.done', { name: item.name })}
                back={`/${resource}`}
              />
            )}
          </PageHead>
          {children(item, manages)}
        </>
      )}
    </PageOfItem>
  )
}

export function CoursePage() {
  return (
    <OnePage<Course> resource="courses">
      {(course) => <CourseForm key={course.updateDate} id={course.id} draft={courseDraftOf(course)} />}
    </OnePage>
  )
}

export function FlowPage() {
  return (
    <OnePage<Flow> resource="flows">
      {(flow, manages) => <FlowForm key={flow.updateDate} id={flow.id} draft={flowDraftOf(flow)} readOnly={!manages} />}
    </OnePage>
  )
}

export function TemplatePage() {
  return (
    <OnePage<Template> resource="templates">
      {(template) => <TemplateForm key={template.updateDate} id={template.id} draft={templateDraftOf(template)} />}
    </OnePage>
  )
}
