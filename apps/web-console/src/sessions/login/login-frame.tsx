import { type ReactNode, useEffect } from 'react'
import { useProduct } from '../../shared/bundle.ts'
import classes from '../../shared/frame/login.module.css'
import { Switches } from '../../shared/frame/switches.tsx'
import { Seal } from '../../shared/seal.tsx'

/** What stands around the steps of the sign-in. */
export function LoginFrame({ title, children }: { title: string; children: ReactNode }) {
  const product = useProduct()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Seal size={44} />
          <div>
            <p translate="no" className={classes.name}>
              Chancela
            </p>
            <p className={classes.product}>{product}</p>
          </div>
        </div>
        <h1 className={classes.title}>{title}</h1>
        {children}
        <Switches />
      </div>
    </main>
  )
}
