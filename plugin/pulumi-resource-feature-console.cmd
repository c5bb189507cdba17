@where node >nul 2>nul || (echo pulumi-feature-console needs Node 22.19 or newer, and PATH has none. Install Node, or put its folder on PATH.>&2 & exit /b 1)
@node "%~dp0..\dist\plugin.js" %*
