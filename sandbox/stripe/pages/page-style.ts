export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif; }
body { margin: 0; padding: 4px; }
main { padding: 12px 16px; }
h1 { font-size: 1.2rem; margin: 0; }
label { font-size: 0.9rem; font-weight: 600; }
.field { display: flex; flex-direction: column; gap: 4px; margin-bottom: 12px; flex: 1; min-width: 0; }
.row { display: flex; gap: 12px; }
input { font: inherit; padding: 10px 12px; border: 1px solid light-dark(#767676, #8b90a5); border-radius: 8px; background: Canvas; color: CanvasText; min-width: 0; }
input:focus-visible, button:focus-visible { outline: 3px solid light-dark(#1a56db, #9db8ff); outline-offset: 1px; }
input[aria-invalid='true'] { border-color: light-dark(#b42318, #ff9b8f); }
#error { color: light-dark(#b42318, #ff9b8f); font-size: 0.9rem; margin: 0 0 8px; }
#error:empty { display: none; }
.hint { font-size: 0.875rem; margin: 0; }
button { font: inherit; padding: 10px 20px; border: 1px solid #1a56db; border-radius: 8px; background: #1a56db; color: #fff; }
button.secondary { background: Canvas; color: CanvasText; }
#bank { width: 100%; height: 260px; border: 1px solid light-dark(#767676, #8b90a5); border-radius: 8px; }
`
