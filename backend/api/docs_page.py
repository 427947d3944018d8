"""The interactive documentation at `/docs`: Swagger UI from an installed wheel, no other host."""

from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import Response

router = APIRouter(include_in_schema=False)
_ASSETS = files("fastapi_swagger.resources")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DocSet Workbench: the interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
"""
# The validator is an external service; without this setting the page would send it the address.
_START = """SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
"""
PATHS = ("/docs", "/docs/start.js", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js")
"""Open without a credential: a browser has none before the page is loaded."""


@router.get("/docs")
def page() -> Response:
    return Response(_PAGE, media_type="text/html", headers=_HEADERS)


@router.get("/docs/start.js")
def start() -> Response:
    return Response(_START, media_type="text/javascript", headers=_HEADERS)


@router.get("/docs/swagger-ui.css")
def style() -> Response:
    return _asset("swagger-ui.css", "text/css")


@router.get("/docs/swagger-ui-bundle.js")
def script() -> Response:
    return _asset("swagger-ui-bundle.js", "text/javascript")


def _asset(name: str, kind: str) -> Response:
    data = _ASSETS.joinpath(name).read_bytes()
    headers = {**_HEADERS, "Cache-Control": "max-age=86400"}
    return Response(data, media_type=kind, headers=headers)
