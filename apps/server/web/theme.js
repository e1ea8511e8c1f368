// Loaded before the first paint, so that a chosen theme does not flash. No module: those come later.
(() => {
  const root = document.documentElement;
  const themes = ['auto', 'light', 'dark'];
  const load = () => {
    try {
      return localStorage.getItem('diffie-theme');
    } catch {
      return null;  // storage may be forbidden; the choice then lasts as long as the page
    }
  };
  const save = (theme) => {
    try {
      localStorage.setItem('diffie-theme', theme);
    } catch { /* as above */ }
  };
  let theme = themes.includes(load()) ? load() : 'auto';
  const apply = (button) => {
    if (theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = theme;
    if (button) button.textContent = `Theme: ${theme}`;
  };
  apply();
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    if (!button) return;
    apply(button);
    button.addEventListener('click', () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      save(theme);
      apply(button);
    });
  });
})();
